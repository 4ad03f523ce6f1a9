import { EMPTY_ROOT, nodeHash } from './merkle-tree.ts';

/** A tree of which only its right edge is kept: enough to add leaves and to tell its root. */
export interface GrowingRoot {
  add(leaf: Uint8Array): void;
  size(): number;
  root(): Uint8Array;
}

/** An empty tree that grows leaf by leaf, in as many hashes as it has levels. @see RFC 6962 section 2.1 */
export const growingRoot = (): GrowingRoot => {
  // Roots of the full subtrees from left to right, each with the leaves below it.
  const edge: { readonly leaves: number; readonly root: Uint8Array }[] = [];
  let size = 0;
  return {
    add(leaf) {
      let added = { leaves: 1, root: leaf };
      for (let left = edge.at(-1); left?.leaves === added.leaves; left = edge.at(-1)) {
        edge.pop();
        added = { leaves: 2 * added.leaves, root: nodeHash(left.root, added.root) };
      }
      edge.push(added);
      size += 1;
    },
    size: () => size,
    root: () =>
      edge.length === 0
        ? EMPTY_ROOT
        : edge.map(({ root }) => root).reduceRight((right, left) => nodeHash(left, right)),
  };
};
