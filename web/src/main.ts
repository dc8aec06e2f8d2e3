import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/tokens.css";
import "./styles/scale.css";
import "./styles/base.css";
import "./styles/print.css";

mount(App, { target: document.getElementById("app")! });
