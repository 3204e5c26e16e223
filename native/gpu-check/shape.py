"""Shapes of models: as the engine's config, as Hugging Face's config, and the amount of work."""

from dataclasses import dataclass

BF16_BYTES = 2


@dataclass(frozen=True)
class Shape:
    """family: llama, qwen2 (biases on queries, keys and values) or qwen3 (queries and keys normed)"""

    name: str
    family: str
    vocabulary: int
    hidden: int
    intermediate: int
    layers: int
    heads: int
    kv_heads: int
    head_size: int
    tied: bool
    context: int = 2048
    rope_theta: float = 10_000.0
    epsilon: float = 1e-5

    def config(self):
        """The fields of palestra_model_config."""
        return {
            "vocab_size": self.vocabulary,
            "hidden_size": self.hidden,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "head_dim": self.head_size,
            "max_position_embeddings": self.context,
            "rms_norm_eps": self.epsilon,
            "rope_theta": self.rope_theta,
            "tie_word_embeddings": self.tied,
            "qkv_bias": self.family == "qwen2",
            "qk_norm": self.family == "qwen3",
        }

    def hugging_face(self):
        import transformers

        kind = {"llama": "LlamaConfig", "qwen2": "Qwen2Config", "qwen3": "Qwen3Config"}[self.family]
        fields = {name: value for name, value in self.config().items() if name not in ("qkv_bias", "qk_norm")}
        return getattr(transformers, kind)(**fields)

    @property
    def multiplied(self):
        """N, the number of parameters that a token is multiplied with, including the head's."""
        queries, keys = self.heads * self.head_size, self.kv_heads * self.head_size
        attention = self.hidden * (queries + 2 * keys) + queries * self.hidden
        return self.layers * (attention + 3 * self.hidden * self.intermediate) + self.vocabulary * self.hidden

    def training_flops(self, lengths):
        """FLOPs of a pack: 6 N per token, plus 6 L (H d) per token and average position in causal attention."""
        attended = sum(length * length for length in lengths)
        return 6 * self.multiplied * sum(lengths) + 6 * self.layers * self.heads * self.head_size * attended

    def decode_bytes(self, positions):
        """Bytes read by a step: the weights once, and the keys and values of that many positions in total."""
        return BF16_BYTES * self.multiplied + positions * self.position_bytes

    @property
    def position_bytes(self):
        """Bytes of the keys and values of a position."""
        return BF16_BYTES * 2 * self.layers * self.kv_heads * self.head_size


SMOLLM2_135M = Shape("SmolLM2-135M", "llama", 49_152, 576, 1_536, 30, 9, 3, 64, tied=True, rope_theta=100_000.0)
QWEN2_5_05B = Shape(
    "Qwen2.5-0.5B", "qwen2", 151_936, 896, 4_864, 24, 14, 2, 64, tied=True, rope_theta=1_000_000.0, epsilon=1e-6
)

# Odd sizes on purpose: vocabularies and widths that no tile divides, rows that do not begin at multiples of 16 bytes.
SMALL = [
    Shape("llama, groups of 1, heads of 64", "llama", 1_031, 201, 393, 2, 3, 3, 64, tied=False),
    Shape("llama, tied, groups of 2, heads of 128", "llama", 997, 256, 448, 2, 2, 1, 128, tied=True),
    Shape("qwen2, tied, groups of 7, heads of 64", "qwen2", 1_009, 448, 608, 2, 7, 1, 64, tied=True),
    Shape("qwen3, groups of 2, heads of 128", "qwen3", 769, 320, 424, 2, 4, 2, 128, tied=False),
    Shape("qwen3, tied, groups of 7, heads of 64", "qwen3", 1_033, 203, 405, 2, 14, 2, 64, tied=True),
]
TOYS = [
    Shape("llama, groups of 2, heads of 64", "llama", 61, 72, 88, 1, 2, 1, 64, tied=False),
    Shape("qwen2, tied, groups of 3, heads of 64", "qwen2", 67, 64, 75, 1, 3, 1, 64, tied=True),
    Shape("qwen3, groups of 1, heads of 128", "qwen3", 59, 67, 64, 1, 1, 1, 128, tied=False),
]
