/** Suggestions for misspelt names, for both halves. */
export { didYouMean } from "../../envs/did-you-mean.js";
