"""llama.cpp's own server, from the wheel `xllamacpp`: `python llama_server.py MODEL PORT [IMAGE_ENCODER]`."""

import sys
import threading

from xllamacpp import CommonParams, Server

if __name__ == "__main__":
    model, port, *eyes = sys.argv[1:]
    params = CommonParams()
    params.model.path, params.model_alias, params.port = model, {"tiny"}, int(port)
    params.hostnames, params.n_ctx, params.n_parallel, params.warmup = ["127.0.0.1"], 4 * 8192, 4, False
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    if eyes:
        params.mmproj.path, params.mmproj_use_gpu = eyes[0], False
    server = Server(params)
    threading.Event().wait()
