/** How far the raters agree, and the judgments as files. */
import { api, gymUrl } from "../../api.js";
import { Loaded } from "../../parts/loaded.js";
import { Inline } from "../../parts/text.js";

export function AgreementView() {
  return (
    <Loaded of="" load={api.agreement}>
      {({ judgedPairs, raters, pairs, alpha }) =>
        judgedPairs === 0 ? (
          <p>Nobody has judged a pair yet.</p>
        ) : (
          <>
            <div class="tiles agreement-tiles">
              <Tile label="pairs judged" value={String(judgedPairs)} />
              <Tile label="raters" value={String(raters.length)} />
              <Tile label="Krippendorff's alpha" value={number(alpha)} />
            </div>
            <h2>Raters</h2>
            <table>
              <thead>
                <tr>
                  <th scope="col">rater</th>
                  <th scope="col" class="number">
                    pairs judged
                  </th>
                </tr>
              </thead>
              <tbody>
                {raters.map(({ name, judged }) => (
                  <tr key={name}>
                    <td>
                      <Inline text={name} />
                    </td>
                    <td class="number">{judged}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {pairs.length > 0 && <Pairs pairs={pairs} />}
            <p>
              <a href={`${gymUrl}v1/judgments/export`} download>
                Preference pairs
              </a>{" "}
              <span class="quiet">for training, by the majority of the raters, as JSON lines</span>
            </p>
            <p class="quiet">
              Alpha and kappa are 1 if all choices are the same, and 0 if they agree as often as by chance. The choice
              is one of four: left, right, equally good, both bad.
            </p>
          </>
        )
      }
    </Loaded>
  );
}

type Agreement = Awaited<ReturnType<typeof api.agreement>>;

function Pairs({ pairs }: { pairs: Agreement["pairs"] }) {
  return (
    <>
      <h2>Each two raters</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">raters</th>
            <th scope="col" class="number">
              both judged
            </th>
            <th scope="col" class="number">
              same choice
            </th>
            <th scope="col" class="number">
              Cohen's kappa
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ raters: [first, second], shared, agreed, kappa }) => (
            <tr key={`${first}\n${second}`}>
              <td>
                <Inline text={first ?? ""} /> and <Inline text={second ?? ""} />
              </td>
              <td class="number">{shared}</td>
              <td class="number">{Math.round((100 * agreed) / shared)} %</td>
              <td class="number">{number(kappa)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Tile({ label, value }: { label: string; value: string }) {
  return (
    <div class="tile">
      <div class="quiet">{label}</div>
      <div class="tile-value">{value}</div>
    </div>
  );
}

function number(value: number | null): string {
  return value === null ? "–" : value.toFixed(2);
}
