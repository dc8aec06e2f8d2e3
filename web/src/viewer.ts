// The viewer as one page with one match in it. It needs no server.

import { mount } from "svelte";
import { embedded } from "./lib/record";
import ViewerApp from "./ViewerApp.svelte";
import "./styles/tokens.css";
import "./styles/scale.css";
import "./styles/base.css";
import "./styles/print.css";

const target = document.getElementById("app")!;
embedded().then(
  (record) => mount(ViewerApp, { target, props: { record } }),
  (error: unknown) => (target.textContent = `The match on this page can't be read: ${error}`),
);
