// The table of parameters, their initial values and the rotary frequencies.
#include "model/decoder/rope.h"
#include "tiny-models.h"

namespace palestra::test {
namespace {

TEST(Parameters, HaveHuggingFaceNamesAndShapes) {
  ModelConfig config = tiny_llama();
  const ParameterTable llama(config);
  const Parameter* k = llama.find("model.layers.1.self_attn.k_proj.weight");
  ASSERT_TRUE(k);
  EXPECT_EQ(k->rows, 16);
  EXPECT_EQ(k->columns, 12);
  EXPECT_TRUE(llama.find("lm_head.weight"));
  EXPECT_TRUE(llama.find("model.norm.weight")->vector);
  EXPECT_FALSE(llama.find("model.layers.0.self_attn.q_proj.bias"));
  EXPECT_FALSE(llama.find("model.layers.0.self_attn.q_norm.weight"));
  EXPECT_EQ(llama.count(), 13u * 12 * 2 + 12 + 2 * (12 * 2 + 64 * 12 + 32 * 12 + 60 * 12));

  config.tie_word_embeddings = config.qkv_bias = config.qk_norm = config.value_head = true;
  const ParameterTable other(config);
  EXPECT_FALSE(other.find("lm_head.weight"));
  EXPECT_EQ(other.find("model.layers.0.self_attn.v_proj.bias")->size(), 16u);
  EXPECT_EQ(other.find("model.layers.0.self_attn.k_norm.weight")->size(), 8u);
  EXPECT_EQ(other.find("value_head.bias")->size(), 1u);
}

TEST(Parameters, OfOneMatrixAreAdjacent) {
  ModelConfig config = tiny_llama();
  config.qkv_bias = config.value_head = true;
  const ParameterTable table(config);
  const auto follows = [&](const char* first, const char* second) {
    const Parameter *a = table.find(first), *b = table.find(second);
    return a && b && a->offset + a->size() == b->offset;
  };
  EXPECT_TRUE(follows("model.layers.1.self_attn.q_proj.weight", "model.layers.1.self_attn.k_proj.weight"));
  EXPECT_TRUE(follows("model.layers.1.self_attn.k_proj.weight", "model.layers.1.self_attn.v_proj.weight"));
  EXPECT_TRUE(follows("model.layers.1.self_attn.k_proj.bias", "model.layers.1.self_attn.v_proj.bias"));
  EXPECT_TRUE(follows("model.layers.1.mlp.gate_proj.weight", "model.layers.1.mlp.up_proj.weight"));
  EXPECT_TRUE(follows("value_head.weight", "value_head.bias"));
}

TEST(Initialise, FollowsTheSeedAndTheDepth) {
  ModelConfig config = tiny_llama();
  config.hidden_size = 256;
  config.num_hidden_layers = 8;
  config.value_head = true;
  Device<float> device;
  Model<float> a(*device.ops, config), b(*device.ops, config), c(*device.ops, config);
  a.initialise(1);
  b.initialise(1);
  c.initialise(2);
  const auto values = [](const Model<float>& model, const char* name) {
    const Parameter* parameter = model.parameters().find(name);
    const float* data = model.data() + parameter->offset;
    return std::vector<float>(data, data + parameter->size());
  };
  const auto deviation = [&](const char* name) {
    const auto v = values(a, name);
    return std::sqrt(inner_product(v, v) / static_cast<double>(v.size()));
  };
  const char* up = "model.layers.3.mlp.up_proj.weight";
  EXPECT_EQ(values(a, up), values(b, up));
  EXPECT_NE(values(a, up), values(c, up));
  EXPECT_NE(values(a, up), values(a, "model.layers.4.mlp.up_proj.weight"));
  EXPECT_NEAR(deviation(up), 0.02, 0.001);
  EXPECT_NEAR(deviation("model.layers.3.self_attn.o_proj.weight"), 0.02 / 4, 0.0003);
  EXPECT_EQ(values(a, "model.norm.weight"), std::vector<float>(256, 1.0f));
  EXPECT_EQ(values(a, "value_head.weight"), std::vector<float>(256, 0.0f));
  EXPECT_NO_THROW(a.check_finite());
}

TEST(Rope, FrequenciesFallWithinTheHead) {
  ModelConfig config = tiny_llama();
  const std::vector<float> plain = rope_frequencies(config);
  ASSERT_EQ(plain.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(plain[i], static_cast<float>(std::pow(10.0, -i)));
  config.rope_scaling = RopeScaling::linear;
  config.rope_factor = 4;
  EXPECT_FLOAT_EQ(rope_frequencies(config)[1], 0.1f / 4);
}

TEST(Rope, Llama3LeavesShortWavesAndStretchesLongOnes) {
  ModelConfig config = tiny_llama();
  config.head_dim = 64;
  config.rope_theta = 500000;
  config.rope_scaling = RopeScaling::llama3;
  config.rope_factor = 8;
  config.rope_low_freq_factor = 1;
  config.rope_high_freq_factor = 4;
  config.rope_original_max_position_embeddings = 8192;
  const std::vector<float> scaled = rope_frequencies(config);
  config.rope_scaling = RopeScaling::none;
  const std::vector<float> plain = rope_frequencies(config);
  int between = 0;
  for (size_t i = 0; i < plain.size(); ++i) {
    const double wave = 2 * 3.14159265358979 / plain[i];
    if (wave < 2048) {
      EXPECT_EQ(scaled[i], plain[i]);
    } else if (wave > 8192) {
      EXPECT_FLOAT_EQ(scaled[i], plain[i] / 8);
    } else {
      const double smooth = (8192 / wave - 1) / 3;
      EXPECT_FLOAT_EQ(scaled[i], static_cast<float>((1 - smooth) * plain[i] / 8 + smooth * plain[i]));
      ++between;
    }
  }
  EXPECT_GT(between, 0);
}

}  // namespace
}  // namespace palestra::test
