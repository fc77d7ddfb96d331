"""Types that are known and refused all the same: what in them no record can describe."""

from collections.abc import Mapping

_SHARED = "weights shared between layers"
_ENCODER = "an encoder beside the decoder"

REFUSED: Mapping[str, str] = {
    "recurrent_gemma": "a gated linear recurrence (RG-LRU)",
    "rwkv": "a recurrence of its own (WKV)",
    "xlstm": "recurrences of its own (mLSTM, sLSTM)",
    "zamba": _SHARED,
    "zamba2": _SHARED,
    "longcat_flash": "experts that do nothing, so that how many a token uses differs",
    "jetmoe": "experts for the queries of attention",
    "phi3small": "block-sparse attention",
    "minimax_m3_vl": "attention to blocks that an indexer picks",
    "minimax_m3": "attention to blocks that an indexer picks",
    "hunyuan": "caches shared between neighbouring layers (cross-layer attention)",
    "chameleon": "images and text in one vocabulary",
    "moshi": "a second decoder for sound",
    "t5": _ENCODER,
    "mt5": _ENCODER,
    "umt5": _ENCODER,
    "t5gemma": _ENCODER,
    "bart": _ENCODER,
    "mbart": _ENCODER,
    "pegasus": _ENCODER,
    "m2m_100": _ENCODER,
    "whisper": _ENCODER,
    "bert": "no decoder: it keeps no cache",
    "roberta": "no decoder: it keeps no cache",
    "modernbert": "no decoder: it keeps no cache",
    "clip": "no decoder: it keeps no cache",
}
"""The mechanism of each, as an import says it."""
