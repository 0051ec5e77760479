/**
 * @file Turning an element into a freshly rendered one in place.
 *
 * A Discord message is edited while people look at it. Replacing its elements would drop the keyboard's focus, the
 * scroll position and half-finished clicks; so each old node that has a counterpart is kept, and only differences are
 * written. Apps often change a button's custom id with every edit, so counterparts are sought by id (`data-key`),
 * then by what is written on them (`data-name`), then by kind and order.
 */

/** What the page itself adds to a rendered element, and an edit leaves alone. */
const KEPT = new Set(["data-revealed", "aria-expanded"]);

const IDENTITIES = [(node) => node.dataset?.key, (node) => node.dataset?.name, (node) => node.nodeName];

/**
 * Makes `old` equal to `fresh`, which is used up. The focus stays on the element that had it; if an edit has removed or
 * disabled that one, it moves to `old` itself rather than to nowhere.
 *
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
export function morph(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  morphNode(old, fresh);
  if (!focused || document.activeElement === focused) return;
  const home = focused.isConnected && !focused.disabled ? focused : old;
  home.focus({ preventScroll: true });
}

function morphNode(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
  } else if (!old.isEqualNode(fresh)) {
    morphAttributes(old, fresh);
    morphChildren(old, fresh);
  }
}

function morphAttributes(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (!KEPT.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!KEPT.has(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
}

function morphChildren(old, fresh) {
  const children = [...fresh.childNodes];
  const counterparts = pair([...old.childNodes], children);
  const kept = new Set(counterparts.values());
  // Leftovers go first: moving a node would drop its focus, so as few as possible shall have to move.
  for (const node of [...old.childNodes]) if (!kept.has(node)) node.remove();
  let cursor = old.firstChild;
  for (const child of children) {
    const node = counterparts.get(child) ?? child;
    if (node === cursor) cursor = cursor.nextSibling;
    else old.insertBefore(node, cursor);
    if (node !== child) morphNode(node, child);
  }
}

/** Which old node each fresh one continues: a map from fresh to old. */
function pair(oldNodes, freshNodes) {
  const pairs = new Map();
  const free = new Set(oldNodes);
  for (const identity of IDENTITIES) {
    for (const fresh of freshNodes.filter((node) => !pairs.has(node))) {
      const match = counterpart(free, fresh, identity);
      if (match && free.delete(match)) pairs.set(fresh, match);
    }
  }
  return pairs;
}

function counterpart(free, fresh, identity) {
  const wanted = identity(fresh);
  if (!wanted) return null;
  for (const old of free) {
    if (old.nodeName === fresh.nodeName && identity(old) === wanted) return old;
  }
  return null;
}
