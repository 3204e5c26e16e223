import { render } from "preact";
import { App } from "./app.js";
import { goLive } from "./live.js";
import "./style.css";

goLive();
render(<App />, document.getElementById("app") as HTMLElement);
