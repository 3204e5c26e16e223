/** The sites that an agent can reach besides those of its task, the home page, and refused addresses. */
import { expect } from "vitest";
import { openSite, testBrowser } from "../../support/browsers.js";
import { idOf, officialTasks } from "./official-play.js";

const { openBenchmark } = officialTasks([
  {
    sites: ["reddit"],
    task_id: 0,
    require_login: false,
    storage_state: null,
    start_url: "__REDDIT__/",
    geolocation: null,
    require_reset: false,
    intent_template_id: 0,
    intent: "Look.",
    eval: {
      eval_types: ["string_match"],
      reference_answers: { exact_match: "x" },
      reference_url: "",
      program_html: [],
    },
  },
]);

async function open() {
  const forum = await openSite({ "/": `<h1>Forum</h1><a href="http://elsewhere.test/">Elsewhere</a>` });
  const wiki = await openSite({ "/": "<h1>Encyclopedia</h1>" });
  const others = { wikipedia: { url: wiki.url(""), resetAfter: "change", parallel: 1 } };
  return { wiki, ...(await openBenchmark(forum.url(""), {}, others).play(0)) };
}

testBrowser("the home page links to the configured sites, which can be opened", async () => {
  const { step, wiki } = await open();
  const home = (await step("goto [http://homepage.com]")).observation;
  expect(home).toContain("URL: http://homepage.com/");
  expect(home).not.toContain("Gitlab");
  const opened = await step(`click [${idOf(home, "link 'Wikipedia'")}]`);
  expect(opened.observation).toContain("heading 'Encyclopedia'");
  expect(opened.observation).toContain("URL: http://wikipedia.org/");
  expect(wiki.asked).toContain("/");
  expect((await step("goto [http://homepage.com/password.html]")).observation).toContain("MarvelsGrantMan136");
  const sum = (await step("goto [http://homepage.com/calculator.html]")).observation;
  const typed = await step(`type [${idOf(sum, "textbox 'Expression'")}] [2*(3+4)] [1]`);
  expect(typed.observation).toContain("StaticText '14'");
});

testBrowser("the home page lists the account of a site that logs in by a header", async () => {
  const forum = await openSite({ "/": "<h1>Forum</h1>" });
  const headers = { "X-Postmill-Auto-Login": "MarvelsGrantMan136:test1234" };
  const { step } = await openBenchmark(forum.url(""), { headers }).play(0);
  expect((await step("goto [http://homepage.com/password.html]")).observation).toContain("MarvelsGrantMan136");
});

testBrowser("a refused address is reported with the reason, whether typed or clicked", async () => {
  const { step, observation } = await open();
  const missing = await step("goto [http://gitlab.com/explore]");
  const reason = "the task does not use the site gitlab, and the gym has no other server of it";
  expect(missing.info.fault).toBe(`the address http://gitlab.com/explore cannot be opened: ${reason}`);
  expect(missing.observation).toContain(reason);
  const clicked = await step(`click [${idOf(observation, "link 'Elsewhere'")}]`);
  expect(clicked.observation).toMatch(/PREVIOUS ACTION: .* failed: .*only the sites of the benchmark can be reached/);
});
