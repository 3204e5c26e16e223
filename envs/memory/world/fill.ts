/**
 * Fills the placeholders of a sentence with values. `{v}` is a value as it is, `{V}` starts with a capital letter, `{a
 * v}` with an article.
 */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  const text = template.replace(/\{(a )?(\w+)\}/g, (_whole, article: string | undefined, name: string) => {
    const key = Object.hasOwn(values, name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
    const value = values[key];
    if (value === undefined) throw new Error(`expected a value for {${name}} in ${JSON.stringify(template)}`);
    if (article) return `${articleOf(value)} ${value}`;
    return key === name ? value : capitalised(value);
  });
  return capitalised(text);
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function articleOf(word: string): string {
  return /^([aeio]|u(?!k))/i.test(word) ? "an" : "a";
}
