// Pictures: a grid of them under their names, each with what was said of it folded beneath, and one of them large.
import { useEffect, useRef, useState } from "preact/hooks";
import { grouped, stemOf, type Named } from "./procedure.ts";
import { laidOut } from "./json.ts";
import { LongText, plain } from "./text.tsx";
import { pictureOf } from "./trials.ts";

export interface Said {
  by: string;
  text: string | null;
  finish: string;
}

export interface Shown extends Named {
  said?: Said[];
  /** What sets it apart from others of its name. */
  remark?: string;
}

const FEW = 2;

export function Gallery({ pictures, label = "Pictures" }: { pictures: Shown[]; label?: string }) {
  const [large, setLarge] = useState(-1);
  const [all, setAll] = useState(false);
  const few = pictures.length <= FEW;
  const foldable = !few && pictures.some((p) => p.said?.length);
  if (!pictures.length) return null;
  return (
    <div class={few ? "gallery few" : "gallery"} role="group" aria-label={label}>
      {foldable && <button class="quiet unfold" aria-expanded={all} onClick={() => setAll(!all)}>{all ? "Fold all words" : "Unfold all words"}</button>}
      {grouped(pictures).map(({ name, members }) => (
        <div class={members.length > 1 ? "group several" : "group"}>
          {name && <p class="stem"><bdi>{plain(name)}</bdi></p>}
          <div class="tiles" style={{ "--n": members.length }}>
            {members.map((shown) => (
              <Tile key={shown.digest} shown={shown} open={all || (few && shown.said?.length === 1)} number={members.length > 1} onEnlarge={() => setLarge(pictures.indexOf(shown))} />
            ))}
          </div>
        </div>
      ))}
      <Originals pictures={pictures} />
      {large >= 0 && <Enlarged pictures={pictures} at={large} onMove={setLarge} />}
    </div>
  );
}

const LOSSY = "Compressed copy: the subject was shown a sharper picture.";
const LOSSLESS = "Re-encoded to save space; every pixel is as it was sent.";

/** What is shown in place of the bytes that were sent, and where those are. */
function Originals({ pictures }: { pictures: Shown[] }) {
  const found = pictures.map(({ digest }) => pictureOf(digest));
  const missing = found.some((picture) => !picture?.source);
  const lossy = found.some((picture) => picture?.copy === "lossy");
  if (!missing && !found.some((picture) => picture?.file || (picture?.copy ?? "exact") !== "exact")) return null;
  return (
    <details class="originals">
      <summary>{missing ? "Not every picture is in this page." : lossy ? LOSSY : LOSSLESS} <u>Originals</u></summary>
      <ul>
        {pictures.map((shown, i) => (
          <li>
            {fullName(shown)}: {found[i]?.file ? <a href={found[i]!.file}>{found[i]!.file}</a> : <>sha256 <code>{shown.digest}</code></>}
          </li>
        ))}
      </ul>
      {!found.some((picture) => picture?.file) && <p><code>snellen report STORE --originals</code> writes all pictures as they were sent, by these names.</p>}
    </details>
  );
}

const fullName = ({ name, remark }: Shown): string => plain([name, remark].filter(Boolean).join(", ")) || "picture";

interface TileProps {
  shown: Shown;
  open: boolean;
  number: boolean;
  onEnlarge: () => void;
}

function Tile({ shown, open, number, onEnlarge }: TileProps) {
  const found = pictureOf(shown.digest);
  const place = number ? shown.name.slice(stemOf(shown.name).length).trim() : "";
  const said = shown.said ?? [];
  return (
    <figure class="tile">
      {found?.source ? (
        <button class="enlarge" onClick={onEnlarge} aria-label={`Enlarge ${fullName(shown)}`}>
          <img class="picture" src={found.source} alt={plain(found.words) || "the picture shown to the subject"} />
        </button>
      ) : (
        <span class="missing">This picture is not in the page.</span>
      )}
      <div class="under">
        {(place || shown.remark) && <figcaption><bdi>{plain([place, shown.remark].filter(Boolean).join(" \u00b7 "))}</bdi></figcaption>}
        {said.map((s) => (
          <details open={open}>
            <summary>{said.length > 1 ? <bdi>{plain(s.by)}</bdi> : "In words"}</summary>
            <Words said={s} />
          </details>
        ))}
      </div>
    </figure>
  );
}

/** A reply to read: laid out if it is JSON; and how it ended, unless by itself. */
export function Words({ said: { text, finish } }: { said: Said }) {
  if (text === null) return <p class="empty">No reply: {plain(finish) || "the call failed"}</p>;
  return (
    <>
      <LongText text={laidOut(text) ?? text} label="reply" />
      {finish && finish !== "stop" && <p class="note">ended: {plain(finish)}</p>}
    </>
  );
}

/** One picture as large as the screen allows; arrow keys lead to the next. */
function Enlarged({ pictures, at, onMove }: { pictures: Shown[]; at: number; onMove: (to: number) => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  const shown = pictures[at]!;
  const found = pictureOf(shown.digest);
  const go = (by: number) => onMove((at + by + pictures.length) % pictures.length);
  const ways: Record<string, number> = { ArrowRight: 1, j: 1, ArrowDown: 1, ArrowLeft: -1, k: -1, ArrowUp: -1 };
  const press = (event: KeyboardEvent) => {
    const by = ways[event.key];
    if (by === undefined || pictures.length < 2) return;
    event.preventDefault();
    go(by);
  };
  return (
    <dialog
      ref={box} class="enlarged" aria-label={fullName(shown)} onKeyDown={press} onClose={() => onMove(-1)}
      onClick={(e) => e.target === box.current && box.current?.close()}
    >
      {found?.source ? <img src={found.source} alt={plain(found.words) || fullName(shown)} /> : <p class="missing">This picture is not in the page.</p>}
      {found?.copy === "lossy" && <p class="note">{LOSSY}</p>}
      <p class="bar">
        {pictures.length > 1 && <button class="quiet" aria-label="Previous picture" onClick={() => go(-1)}>{"\u2190"}</button>}
        <span><bdi>{fullName(shown)}</bdi>{pictures.length > 1 && <span class="place"> {at + 1} / {pictures.length}</span>}</span>
        {pictures.length > 1 && <button class="quiet" aria-label="Next picture" onClick={() => go(1)}>{"\u2192"}</button>}
        <button class="quiet" onClick={() => box.current?.close()}>Close</button>
      </p>
    </dialog>
  );
}
