/**
 * @file Changes an element so that it equals a new one. Elements with the same `data-key`, or else the same tag in the
 * same order, are kept, and with them the focus, the scroll position and running motions.
 */

/**
 * Makes `old` equal to `fresh`, whose nodes can be moved.
 *
 * @param {*} old
 * @param {*} fresh
 */
export function update(old, fresh) {
  updateAttributes(old, fresh);
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  updateChildren(old, fresh);
  if (old.nodeName === "SELECT" || old.nodeName === "INPUT") old.value = fresh.value;
}

/**
 * @param {*} old
 * @param {*} fresh
 */
function updateNode(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
  } else if (hasControl(old) || !old.isEqualNode(fresh)) {
    update(old, fresh);
  }
}

/** True if a menu or slider is in it: what a viewer has chosen there isn't among its attributes. @param {Element} old */
function hasControl(old) {
  return old.matches("select, input") || old.querySelector("select, input") !== null;
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function updateAttributes(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (name !== "style" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
}

/**
 * Nodes without a counterpart are removed first: then fewer have to move, and moving a node loses its focus.
 *
 * @param {Element} old
 * @param {Element} fresh
 */
function updateChildren(old, fresh) {
  const children = [...fresh.childNodes];
  const counterparts = pairs([...old.childNodes], children);
  const kept = new Set(counterparts.values());
  for (const node of [...old.childNodes]) if (!kept.has(node)) node.remove();
  let cursor = old.firstChild;
  for (const child of children) {
    const node = counterparts.get(child) ?? child;
    if (node === cursor) cursor = node.nextSibling;
    else old.insertBefore(node, cursor);
    if (node !== child) updateNode(node, child);
  }
}

/**
 * The old node for each fresh one that has any.
 *
 * @param {ChildNode[]} old
 * @param {ChildNode[]} fresh
 * @returns {Map<ChildNode, ChildNode>}
 */
function pairs(old, fresh) {
  /** @type {Map<string, ChildNode[]>} */
  const free = new Map();
  for (const node of old) free.set(identity(node), [...(free.get(identity(node)) ?? []), node]);
  const found = new Map();
  for (const node of fresh) {
    const match = free.get(identity(node))?.shift();
    if (match) found.set(node, match);
  }
  return found;
}

/** @param {*} node */
function identity(node) {
  return `${node.nodeName} ${node.dataset?.key ?? ""}`;
}
