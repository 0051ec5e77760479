/** @file Starts the Embedded App SDK. The test does the rest. */

import { DiscordSDK } from "/.proxy/sdk/index.mjs";

const setup = await (await fetch("/.proxy/setup")).json();
window.sdk = new DiscordSDK(setup.application_id, { disableConsoleLogOverride: true });
document.body.dataset.started = "";
