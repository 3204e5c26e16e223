// The shared styles come first, so that styles of pages and parts prevail.
import "./style.css";
import { render } from "preact";
import { App } from "./app.js";
import { goLive } from "./live.js";
import { keepTitle } from "./title.js";

goLive();
keepTitle();
render(<App />, document.getElementById("app") as HTMLElement);
