import { mount } from "svelte";
import App from "./view/App.svelte";
import "./style.css";
import { session } from "./model/session.svelte";

const place = document.getElementById("app")!;
place.textContent = "";
mount(App, { target: place });
void session.open(location.hash);
window.addEventListener("hashchange", () => void session.open(location.hash));
