import { mount } from "svelte";
import App from "./App.svelte";
import { followPointers } from "./lib/calm.svelte";
import "./styles/tokens.css";
import "./styles/scale.css";
import "./styles/base.css";
import "./styles/print.css";

followPointers(window);
const target = document.getElementById("app")!;
// Pages of a party stand by themselves: they have a server of their own, without accounts and tables.
const party = /^\/(desk|clock|screen)\/?$/.exec(location.pathname);
if (party) void import("./pages/DeskPages.svelte").then((page) => mount(page.default, { target, props: { page: party[1]! } }));
else mount(App, { target });
