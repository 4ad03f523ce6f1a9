/** Half of the log's limit of 1 MiB; the other half is for the outcomes of a whole chunk. */
const MAX_APPEND_BYTES = 512 * 1024;

/**
 * Parts in order, each small enough for an append, unless it is a single item. Otherwise the outcomes of 200
 * rejected rows in Chinese would exceed one append and fail the import.
 * @param getContent returns what is stored of an item as JSON
 */
export const splitBySize = <Item>(
  items: readonly Item[],
  getContent: (item: Item) => unknown = (item) => item,
): readonly (readonly Item[])[] => {
  const parts: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const own = Buffer.byteLength(JSON.stringify(getContent(item)));
    bytes += own;
    if (bytes <= MAX_APPEND_BYTES) parts.at(-1)?.push(item);
    else {
      parts.push([item]);
      bytes = own;
    }
  }
  return parts;
};
