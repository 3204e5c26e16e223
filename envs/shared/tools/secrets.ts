/** Values in a definition that refer to environment variables of the gym, such as the header `Bearer ${API_KEY}`. */

const variable = /\$\{(\w+)\}/g;
/** Minimum length of a value that is hidden, since shorter values, such as `1`, occur in many texts by chance. */
const shortestSecret = 6;

/** Headers or environment variables with secrets filled in. `hide` removes the secrets from texts. */
export class Secrets {
  private constructor(
    readonly values: Readonly<Record<string, string>>,
    private readonly secrets: readonly string[],
  ) {}

  /**
   * Replaces `${NAME}` in values with environment variables of the gym. @param templates values by name
   * @param owner owner of the values in error messages: "the tool weather"
   * @throws {RangeError} a variable is not set
   */
  static fill(templates: Readonly<Record<string, string>>, owner: string): Secrets {
    const secrets: string[] = [];
    const entries = Object.entries(templates).map(([name, template]) => {
      const value = template.replace(variable, (_, wanted: string) => {
        const found = process.env[wanted];
        if (found === undefined) {
          throw new RangeError(
            `expected a value of the environment variable ${wanted}, which ${owner} names in ${name}, but the variable is not set. Set it before the gym starts`,
          );
        }
        if (found.length >= shortestSecret) secrets.push(found);
        return found;
      });
      return [name, value] as const;
    });
    return new Secrets(Object.fromEntries(entries), secrets);
  }

  /**
   * Same as `fill`, but for HTTP headers.
   *
   * @throws {RangeError} a variable is not set, or a header is invalid
   */
  static headers(templates: Readonly<Record<string, string>>, owner: string): Secrets {
    const filled = Secrets.fill(templates, owner);
    for (const [name, value] of Object.entries(filled.values)) {
      try {
        new Headers({ [name]: value });
      } catch {
        // Node's own error message would quote the value.
        throw new RangeError(
          `expected a valid HTTP header of ${owner}, but received a header that cannot be sent: ${JSON.stringify(name)}`,
        );
      }
    }
    return filled;
  }

  /** Removes the secrets from a text, since a service may repeat them in its replies. */
  hide(text: string): string {
    return this.secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "[secret]"), text);
  }
}
