/** @file What the page may know before anybody's phone is connected: the servers with their channels, and the people. */

import { nameOf } from "./avatar.js";

/** Between two tries while the server is away or has nothing to show yet (milliseconds). */
const PAUSE = 1500;

/**
 * @typedef {{guilds: {id: string, name: string, channels: import("./scene.js").Channel[]}[], people: import("./scene.js").User[]}} World
 * @returns {Promise<World>}
 */
export async function fetchWorld() {
  const response = await fetch("/page/world");
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return response.json();
}

/** The world once there is something to see in it. @param {(why: string) => void} onWait @returns {Promise<World>} */
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

/** Adds somebody, who joins every server. @returns {Promise<import("./scene.js").User>} */
export async function addPerson(name) {
  const body = JSON.stringify({ name });
  const response = await fetch("/page/people", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  if (!response.ok) throw new Error(`${name} could not be added: ${await response.text()}`);
  return response.json();
}

/** @param {import("./scene.js").User[]} people */
export function asChoices(people) {
  return people.map((user) => ({ value: user.id, label: nameOf(user), description: user.username, user }));
}
