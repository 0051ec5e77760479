/**
 * @file Updates an element in place to match a newly rendered one.
 *
 * Replacing the elements of an edited message would lose the keyboard focus, the scroll position and unfinished clicks.
 * So nodes with a counterpart are kept, and only differences are changed. Apps often change a button's custom id with
 * every edit, so counterparts are matched by `data-key`, then by `data-name` (the label), then by tag and order.
 */

/** Attributes that the page adds to rendered elements and that an update keeps. */
const KEPT = new Set(["data-revealed", "aria-expanded"]);

const IDENTITIES = [(node) => node.dataset?.key, (node) => node.dataset?.name, (node) => node.nodeName];

/**
 * Makes `old` equal to `fresh`, whose nodes can be moved. If the focused element was removed or disabled, `old` gets
 * the focus.
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
  // Remove unmatched nodes first, so that fewer nodes have to move: moving a node loses its focus.
  for (const node of [...old.childNodes]) if (!kept.has(node)) node.remove();
  let cursor = old.firstChild;
  for (const child of children) {
    const node = counterparts.get(child) ?? child;
    if (node === cursor) cursor = cursor.nextSibling;
    else old.insertBefore(node, cursor);
    if (node !== child) morphNode(node, child);
  }
}

/** Matches nodes: a map from fresh to old ones. */
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
