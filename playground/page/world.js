/** @file Loads the guilds, channels and people that the page can show. */

import { nameOf } from "./avatar.js";

/** Milliseconds between attempts while the server is away or has no people or channels. */
const PAUSE = 1500;

/**
 * @typedef {Object} World
 * @property {{id: string, name: string, channels: import("./scene.js").Channel[]}[]} guilds
 * @property {import("./scene.js").User[]} people
 * @property {boolean} moves_time  true if the app's clock can be moved
 * @returns {Promise<World>}
 */
export async function fetchWorld() {
  const response = await fetch("/page/world");
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return response.json();
}

/** Waits until there are people and a channel. @param {(why: string) => void} onWait @returns {Promise<World>} */
export async function awaitWorld(onWait) {
  for (;;) {
    try {
      const world = await fetchWorld();
      if (world.people.length && channelsOf(world).length) return world;
      onWait("Nobody is here yet, or no channel: waiting for the server to fill up.");
    } catch (error) {
      onWait(`The playground's server is out of reach; trying again. (${error.message})`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** @param {World} world */
export function channelsOf(world) {
  return world.guilds.flatMap((guild) => guild.channels);
}

/** Creates a person who is a member of all guilds. @returns {Promise<import("./scene.js").User>} */
export async function addPerson(name) {
  const response = await post("/page/people", { name });
  if (!response.ok) throw new Error(`${name} could not be added: ${await response.text()}`);
  return response.json();
}

/** Moves the time forward, for people and for the app. */
export function moveTime(seconds) {
  return post("/page/time", { seconds });
}

function post(address, body) {
  const headers = { "Content-Type": "application/json" };
  return fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
}

/** @param {import("./scene.js").User[]} people */
export function asChoices(people) {
  return people.map((user) => ({ value: user.id, label: nameOf(user), description: user.username, user }));
}
