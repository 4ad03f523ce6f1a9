/** Node 20 has no `Map.groupBy`. */
export const groupBy = <Item, Name>(
  items: readonly Item[],
  getName: (item: Item) => Name,
): ReadonlyMap<Name, readonly Item[]> => {
  const groups = new Map<Name, Item[]>();
  for (const item of items) {
    const name = getName(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
};
