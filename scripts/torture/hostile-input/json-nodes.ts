/** JSON with what JSON.stringify would not write: keys that stand there twice, texts as they are. */
export type JsonNode =
  | { readonly kind: 'object'; readonly entries: (readonly [string, JsonNode])[] }
  | { readonly kind: 'array'; readonly items: JsonNode[] }
  | { readonly kind: 'raw'; readonly text: string };

/** A text that is put into the JSON as it is. */
export const raw = (text: string): JsonNode => ({ kind: 'raw', text });

/** The nodes of a value. */
export const nodesOf = (value: unknown): JsonNode => {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(nodesOf) };
  if (typeof value !== 'object' || value === null) return raw(JSON.stringify(value));
  const entries = Object.entries(value).map(([key, held]) => [key, nodesOf(held)] as const);
  return { kind: 'object', entries };
};

/** The text of a node. */
export const writeNode = (node: JsonNode): string => {
  switch (node.kind) {
    case 'raw':
      return node.text;
    case 'array':
      return `[${node.items.map(writeNode).join(',')}]`;
    case 'object':
      return `{${node.entries
        .map(([key, held]) => `${JSON.stringify(key)}:${writeNode(held)}`)
        .join(',')}}`;
  }
};

/** Every object and array in a node, itself included. */
export const holdersIn = (node: JsonNode): Exclude<JsonNode, { kind: 'raw' }>[] => {
  if (node.kind === 'raw') return [];
  const held = node.kind === 'array' ? node.items : node.entries.map(([, one]) => one);
  return [node, ...held.flatMap(holdersIn)];
};
