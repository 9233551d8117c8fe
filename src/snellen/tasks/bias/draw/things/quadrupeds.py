"""Beasts, each as a sketch: facing right, the feet on a common ground."""

from collections.abc import Mapping
from types import MappingProxyType

from snellen.tasks.bias.draw.things.limbs import Body, LegShape
from snellen.tasks.bias.draw.things.sketch import sketch

_DOG = Body(
    behind=sketch("limb coat -215,-40 -300,-95 -335,-190 44 34 20"),
    front=sketch(
        """
        blob coat -235,-70 -100,-92 60,-90 190,-115 238,-30 205,62 80,80 -60,52 -170,70 -248,20
        limb coat 175,-50 235,-140 275,-215 150 110 96
        oval coat 292,-232 66 60
        limb coat 310,-222 385,-200 74 48
        """
    ),
    over=sketch(
        """
        blob dark 262,-288 236,-262 214,-190 236,-150 266,-176 280,-240
        oval eye 316,-250 10 11
        oval eye 402,-212 17 13
        """
    ),
    leg=LegShape(58, 36, "paw"),
    hips=(-180, 170),
    hip=20,
    belly=75,
    feet=(-195, 185),
    ground=300,
    coats=(
        {"coat": (190, 128, 72)},
        {"coat": (120, 84, 62)},
        {"coat": (108, 112, 122)},
        {"coat": (190, 138, 76)},
    ),
)

_CAT = Body(
    behind=sketch(
        """
        limb coat -205,-20 -300,-40 -345,-130 -320,-230 -350,-300 40 36 32 30 24
        poly dark 262,-248 282,-330 318,-262
        """
    ),
    front=sketch(
        """
        blob coat -220,-60 -90,-96 50,-80 170,-100 225,-40 200,50 70,72 -60,62 -170,62 -235,10
        limb coat 170,-40 225,-120 258,-190 130 104 100
        oval coat 270,-205 86 72
        poly coat 196,-232 202,-326 262,-270
        poly coat 270,-272 322,-322 342,-226
        """
    ),
    over=sketch(
        """
        limb dark -120,-88 -108,-40 18 8
        limb dark -60,-92 -48,-40 18 8
        limb dark 0,-86 12,-36 18 8
        oval light 318,-180 40 32
        oval eye 300,-222 9 13
        oval pink 344,-194 13 10
        """
    ),
    leg=LegShape(50, 34, "paw"),
    hips=(-165, 150),
    hip=20,
    belly=68,
    feet=(-190, 185),
    ground=270,
    coats=(
        {"coat": (212, 130, 56)},
        {"coat": (126, 128, 138)},
        {"coat": (150, 112, 80)},
        {"coat": (84, 82, 92)},
    ),
)

_HORSE = Body(
    behind=sketch("blob mane -225,-90 -290,-70 -330,20 -345,130 -300,150 -270,60 -230,-20"),
    front=sketch(
        """
        blob coat -235,-110 -120,-128 20,-105 150,-130 225,-60 200,40 70,60 -70,42 -180,56 -255,-20
        limb coat 150,-60 215,-180 265,-300 170 120 84
        limb coat 262,-310 310,-270 360,-205 84 76 58
        poly coat 240,-330 258,-395 284,-340
        """
    ),
    over=sketch(
        """
        blob mane 262,-372 215,-330 165,-230 110,-130 150,-128 200,-210 240,-290 288,-340
        oval eye 290,-300 10 11
        oval dark 364,-212 9 12
        """
    ),
    leg=LegShape(56, 32, "hoof"),
    hips=(-190, 160),
    hip=0,
    belly=52,
    feet=(-200, 185),
    ground=320,
    coats=(
        {"coat": (152, 90, 52), "mane": (70, 44, 34)},
        {"coat": (190, 142, 96), "mane": (110, 76, 52)},
        {"coat": (120, 122, 132), "mane": (72, 74, 84)},
        {"coat": (92, 62, 52), "mane": (44, 34, 34)},
    ),
)

_COW = Body(
    behind=sketch(
        """
        limb coat -250,-90 -310,-20 -318,90 22 18 16
        oval hair -318,112 20 34
        """
    ),
    front=sketch(
        """
        blob coat -265,-120 -100,-130 60,-118 190,-135 252,-60 225,60 80,84 -70,70 -190,80 -275,0
        limb coat 200,-70 270,-130 150 110
        blob coat 262,-205 330,-200 372,-120 372,-60 320,-52 276,-92 250,-150
        poly coat 262,-190 200,-204 226,-160
        """
    ),
    over=sketch(
        """
        blob patch -190,-100 -90,-106 -60,-40 -120,10 -200,-20
        blob patch 30,-96 120,-106 150,-30 90,20 30,-20
        blob pink 340,-104 380,-100 388,-56 350,-44 316,-62
        poly horn 272,-202 262,-262 306,-206
        oval eye 312,-152 10 11
        """
    ),
    leg=LegShape(58, 38, "hoof"),
    hips=(-210, 190),
    hip=20,
    belly=80,
    feet=(-215, 205),
    ground=290,
    coats=(
        {"coat": (146, 96, 66), "patch": (242, 234, 222), "hair": (70, 48, 40), "horn": (214, 196, 160)},
        {"coat": (96, 96, 106), "patch": (244, 244, 246), "hair": (58, 58, 66), "horn": (206, 192, 164)},
        {"coat": (182, 116, 72), "patch": (250, 238, 222), "hair": (92, 56, 40), "horn": (214, 196, 160)},
    ),
)

_PIG = Body(
    behind=sketch("limb dark -235,-60 -285,-70 -290,-110 -262,-104 -280,-66 -320,-74 14 12"),
    front=sketch(
        """
        blob coat -250,-60 -150,-135 10,-150 160,-130 250,-60 240,40 130,95 -60,104 -190,84 -258,20
        oval coat 240,-60 112 100
        limb coat 300,-36 352,-26 84 76
        """
    ),
    over=sketch(
        """
        oval dark 366,-26 20 42
        poly dark 180,-118 206,-196 262,-138
        oval eye 280,-82 10 11
        """
    ),
    leg=LegShape(56, 40, "hoof"),
    hips=(-190, 180),
    hip=50,
    belly=95,
    feet=(-200, 190),
    ground=235,
    coats=({"coat": (226, 132, 138)}, {"coat": (222, 138, 132)}, {"coat": (186, 130, 112)}),
)

_SHEEP = Body(
    behind=sketch("oval coat -250,-50 46 40"),
    front=sketch(
        """
        oval coat -190,-70 80 80
        oval coat -110,-110 84 84
        oval coat -10,-120 88 88
        oval coat 90,-110 84 84
        oval coat 170,-70 80 80
        oval coat 190,10 74 74
        oval coat 110,40 80 80
        oval coat 10,50 84 84
        oval coat -90,46 82 82
        oval coat -180,20 78 78
        oval coat 0,-20 120 120
        """
    ),
    over=sketch(
        """
        blob face 210,-180 268,-190 318,-130 322,-62 280,-44 236,-80 208,-130
        limb face 236,-160 182,-136 36 22
        oval coat 236,-186 46 32
        oval white 280,-134 12 13
        oval eye 282,-133 7 8
        """
    ),
    leg=LegShape(40, 32, "hoof", ink="face"),
    hips=(-170, 160),
    hip=50,
    belly=112,
    feet=(-190, 185),
    ground=265,
    coats=(
        {"coat": (196, 190, 182), "face": (70, 62, 62)},
        {"coat": (186, 170, 148), "face": (92, 66, 54)},
        {"coat": (150, 140, 136), "face": (52, 50, 56)},
    ),
)

_ELEPHANT = Body(
    behind=sketch("limb coat -285,-90 -332,0 -336,80 22 14"),
    front=sketch(
        """
        blob coat -290,-120 -190,-190 -30,-205 120,-190 215,-120 215,20 150,90 0,105 -170,95 -285,40
        oval coat 225,-130 112 112
        limb coat 300,-110 345,0 352,110 385,170 96 66 48 38
        """
    ),
    over=sketch(
        """
        limb tusk 286,-30 330,30 376,24 30 10
        blob dark 205,-210 130,-220 92,-130 120,-40 180,-10 215,-70 222,-150
        oval eye 272,-142 10 11
        """
    ),
    leg=LegShape(66, 52, "stump"),
    hips=(-225, 175),
    hip=40,
    belly=100,
    feet=(-240, 190),
    ground=290,
    coats=(
        {"coat": (134, 140, 152), "tusk": (250, 244, 226)},
        {"coat": (150, 140, 136), "tusk": (252, 246, 230)},
        {"coat": (112, 122, 138), "tusk": (250, 244, 226)},
    ),
)

_GIRAFFE = Body(
    behind=sketch(
        """
        limb coat -175,-30 -235,30 -242,100 16 12
        oval spot -243,122 14 28
        """
    ),
    front=sketch(
        """
        blob coat -190,-50 -80,-75 60,-110 150,-130 180,-50 150,30 40,52 -90,48 -180,30
        limb coat 120,-60 170,-200 215,-350 120 76 56
        limb coat 214,-362 260,-350 318,-322 66 58 42
        limb coat 212,-375 206,-412 14 14
        """
    ),
    over=sketch(
        """
        blob spot -130,-50 -70,-58 -60,-10 -110,4
        blob spot -30,-66 30,-76 44,-24 -16,-10
        blob spot 74,-90 130,-96 128,-36 84,-30
        blob spot -80,16 -20,8 -10,38 -70,40
        blob spot 124,-190 156,-200 166,-150 134,-140
        blob spot 160,-272 188,-282 196,-236 168,-228
        oval spot 206,-412 12 10
        oval eye 248,-368 9 10
        """
    ),
    leg=LegShape(42, 28, "hoof"),
    hips=(-145, 130),
    hip=0,
    belly=46,
    feet=(-175, 165),
    ground=400,
    coats=({"coat": (204, 148, 62), "spot": (160, 98, 48)}, {"coat": (194, 138, 78), "spot": (136, 78, 50)}),
)

_DEER = Body(
    behind=sketch(
        """
        blob white -200,-80 -258,-110 -262,-50 -215,-30
        limb horn 250,-270 210,-340 222,-410 16 12 8
        limb horn 214,-345 170,-372 12 7
        """
    ),
    front=sketch(
        """
        blob coat -215,-90 -90,-100 50,-90 150,-115 205,-50 180,30 60,50 -70,36 -165,45 -228,-10
        limb coat 150,-50 205,-150 248,-230 120 84 72
        limb coat 248,-246 300,-230 352,-200 72 60 38
        limb coat 232,-262 186,-290 30 12
        """
    ),
    over=sketch(
        """
        limb horn 262,-274 268,-350 320,-408 16 12 8
        limb horn 268,-350 240,-410 12 7
        limb horn 266,-320 316,-340 12 7
        oval eye 284,-250 9 10
        oval eye 364,-204 12 10
        oval light -120,-60 13 11
        oval light -60,-66 13 11
        oval light 0,-58 13 11
        oval light -90,-30 13 11
        oval light -30,-30 13 11
        oval light 40,-40 13 11
        """
    ),
    leg=LegShape(44, 26, "hoof"),
    hips=(-175, 145),
    hip=0,
    belly=42,
    feet=(-190, 170),
    ground=310,
    coats=({"coat": (178, 112, 64), "horn": (122, 86, 58)}, {"coat": (150, 98, 66), "horn": (106, 78, 60)}),
)

_LION = Body(
    behind=sketch(
        """
        limb coat -215,-40 -300,-20 -335,-100 -330,-170 28 22 18
        oval mane -330,-190 26 36
        """
    ),
    front=sketch(
        """
        blob coat -230,-70 -100,-96 60,-96 180,-110 230,-40 205,55 80,76 -60,60 -170,66 -245,10
        blob mane 120,-230 200,-330 310,-330 372,-250 376,-150 330,-60 240,-10 150,-50 105,-140
        """
    ),
    over=sketch(
        """
        oval coat 282,-190 92 86
        oval coat 216,-270 30 30
        oval coat 330,-278 28 28
        oval light 320,-156 46 36
        oval eye 286,-212 10 11
        oval eye 340,-212 9 11
        poly eye 312,-184 348,-184 331,-160
        """
    ),
    leg=LegShape(56, 38, "paw"),
    hips=(-180, 160),
    hip=20,
    belly=70,
    feet=(-205, 195),
    ground=285,
    coats=({"coat": (202, 142, 64), "mane": (146, 84, 40)}, {"coat": (188, 130, 72), "mane": (112, 66, 44)}),
)

_CAMEL = Body(
    behind=sketch(
        """
        limb coat -225,-60 -275,10 -278,70 18 14
        oval hair -278,92 14 26
        """
    ),
    front=sketch(
        """
        blob coat -235,-70 -190,-110 -120,-130 -70,-240 10,-245 60,-130 150,-110 205,-50 180,40 60,70 -70,60
            -180,56 -245,0
        limb coat 160,-40 245,-50 270,-150 262,-250 120 92 74 64
        limb coat 258,-270 310,-268 372,-244 70 64 44
        poly coat 236,-296 226,-336 264,-304
        """
    ),
    over=sketch(
        """
        oval eye 296,-286 9 10
        limb dark 352,-236 386,-232 7 6
        blob hair -84,-232 -30,-262 26,-234 -10,-214 -60,-214
        """
    ),
    leg=LegShape(50, 32, "paw"),
    hips=(-185, 150),
    hip=10,
    belly=62,
    feet=(-200, 180),
    ground=335,
    coats=({"coat": (188, 138, 80), "hair": (146, 100, 58)}, {"coat": (178, 132, 88), "hair": (120, 82, 54)}),
)

QUADRUPEDS: Mapping[str, Body] = MappingProxyType(
    {
        "dog": _DOG,
        "cat": _CAT,
        "horse": _HORSE,
        "cow": _COW,
        "pig": _PIG,
        "sheep": _SHEEP,
        "elephant": _ELEPHANT,
        "giraffe": _GIRAFFE,
        "deer": _DEER,
        "lion": _LION,
        "camel": _CAMEL,
    }
)
