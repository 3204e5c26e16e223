/** The gym's environments. */
import { api, type Environment } from "../api.js";
import { Loaded } from "../parts/loaded.js";
import { linkTo } from "../route.js";

export function Environments() {
  return (
    <section class="page">
      <h1>Environments</h1>
      <Loaded of="" load={api.environments}>
        {({ environments }) => (
          <table>
            <thead>
              <tr>
                <th scope="col">environment</th>
                <th scope="col">summary</th>
                <th scope="col">splits</th>
              </tr>
            </thead>
            <tbody>
              {environments.map((environment) => (
                <Row key={nameOf(environment)} environment={environment} />
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </section>
  );
}

export function nameOf({ id, version }: Environment): string {
  return `${id}@${version}`;
}

function Row({ environment }: { environment: Environment }) {
  const { summary, splits } = environment;
  return (
    <tr>
      <td>
        <a href={linkTo(["environments", nameOf(environment)])}>{nameOf(environment)}</a>
      </td>
      <td>{summary}</td>
      <td>{Object.keys(splits).slice(0, 6).join(", ")}</td>
    </tr>
  );
}
