/**
 * Attention heads that copy from the start. In a model with random weights, what a head reads has no relation to the
 * token that it reads. If `o_proj` is the transpose of `v_proj`, a head that attends to a token raises the logit of this
 * token, because the input and output embeddings are the same. The model then only has to learn where to look. Elhage et
 * al. (2021), "A Mathematical Framework for Transformer Circuits", call such a pair a copying OV circuit.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { readSafetensors } from "../../native/api/index.js";

/**
 * Weights of `q_norm` and `k_norm`. The norms limit the logits of attention to the product of both weights times the root
 * of the head size, 5.7 for weights of 1 and heads of 32. One token among hundreds would then get little attention.
 */
const normWeight = 1.5;

/**
 * Overwrites `o_proj` of each layer, of shape `[hidden, query heads * head size]`, in a folder with f32 weights: the
 * columns of each query head become `scale` times the transposed `v_proj` of its key and value head. Raises `q_norm` and
 * `k_norm` to 1.5.
 */
export async function writeCopyingHeads(folder: string, headSize: number, scale: number): Promise<void> {
  const tensors = new Map((await readSafetensors(folder)).map((tensor) => [tensor.name, tensor]));
  const file = await open(join(folder, "model.safetensors"), "r+");
  try {
    const write = (values: Float32Array<ArrayBuffer>, { offset }: { offset: number }) =>
      file.write(new Uint8Array(values.buffer), 0, values.byteLength, offset);
    for (const [name, tensor] of tensors) {
      if (/\.[qk]_norm\.weight$/.test(name)) await write(new Float32Array(tensor.columns).fill(normWeight), tensor);
      const value = tensors.get(name.replace("o_proj", "v_proj"));
      if (!name.endsWith("self_attn.o_proj.weight") || !value) continue;
      const values = new Float32Array(value.rows * value.columns);
      await file.read(new Uint8Array(values.buffer), 0, value.bytes, value.offset);
      await write(copying(values, value.columns, tensor.columns, headSize, scale), tensor);
    }
  } finally {
    await file.close();
  }
}

/**
 * @param values `v_proj`, of shape `[key and value heads * head size, hidden]`
 * @param width query heads * head size
 */
function copying(
  values: Float32Array,
  hidden: number,
  width: number,
  headSize: number,
  scale: number,
): Float32Array<ArrayBuffer> {
  const queriesPerValue = width / (values.length / hidden);
  const outputs = new Float32Array(hidden * width);
  for (let column = 0; column < width; column++) {
    const valueHead = Math.floor(column / headSize / queriesPerValue);
    const row = valueHead * headSize + (column % headSize);
    for (let at = 0; at < hidden; at++) outputs[at * width + column] = scale * (values[row * hidden + at] as number);
  }
  return outputs;
}
