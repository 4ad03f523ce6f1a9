import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import { isResourceId } from './resources.ts';

/** Finds the resource that a Reference of `holder` names, null if it is not in the Bundle. */
export type Resolve = (reference: unknown, holder: JsonObject) => JsonObject | null;

/** The resources of a document by kind, in the order of its entries, and its references. */
export type Document = {
  readonly ofType: (type: string) => readonly JsonObject[];
  readonly resolve: Resolve;
  readonly hasDeletedEntry: boolean;
};

/** Reads the entries once: what there is of each type, and how each resource can be referred to. */
export const openDocument = (bundle: JsonObject): Document => {
  const byType = new Map<string, JsonObject[]>();
  const byAddress = new Map<string, JsonObject>();
  const entries: Entry[] = [];
  const contained = new Map<JsonObject, ReadonlyMap<string, JsonObject>>();
  let hasDeletedEntry = false;
  for (const entry of objectsOf(bundle['entry'])) {
    hasDeletedEntry ||= isDeleted(entry);
    const resource = entry['resource'];
    if (!isObject(resource)) continue;
    const type = resource['resourceType'];
    if (typeof type !== 'string') continue;
    const sameType = byType.get(type);
    if (sameType === undefined) byType.set(type, [resource]);
    else sameType.push(resource);
    const address = textOf(entry['fullUrl']);
    remember(byAddress, address, resource);
    entries.push({ resource, type, address });
  }
  // Made when first asked for: few Bundles need them all.
  const byTypeAndId = once(() => resourcesByTypeAndId(entries));
  const byUuid = once(() => resourcesByUuid(entries));
  const bases = once(() => basesOf(entries));
  const find = (reference: string, holder: JsonObject): JsonObject | null => {
    const current = withoutVersion(reference);
    const exact = byAddress.get(reference) ?? byAddress.get(current);
    if (exact !== undefined) return exact;
    if (current.includes(':')) {
      const named = byUuid().get(current);
      return named ?? byTypeAndId().get(typeAndId(current))?.withThatId ?? null;
    }
    // A relative reference is to the server that the entry with the reference is from.
    const base = bases().get(holder);
    const sameServer = base === undefined ? undefined : byAddress.get(`${base}${current}`);
    return sameServer ?? byTypeAndId().get(typeAndId(current))?.resource ?? null;
  };
  return {
    ofType: (type) => byType.get(type) ?? [],
    resolve: (reference, holder) => {
      const text = isObject(reference) ? textOf(reference['reference']) : null;
      if (text === null) return null;
      if (!text.startsWith('#')) return find(text, holder);
      const inHolder = contained.get(holder) ?? containedIn(holder);
      contained.set(holder, inHolder);
      return inHolder.get(text.slice(1)) ?? null;
    },
    hasDeletedEntry,
  };
};

/** Says whether an entry's request deletes. @see spec "Record lifecycle" */
export const isDeleted = (entry: JsonObject): boolean => {
  const request = entry['request'];
  return isObject(request) && textOf(request['method'])?.toUpperCase() === 'DELETE';
};

const withoutVersion = (reference: string): string => {
  const history = reference.indexOf('/_history/');
  return history < 0 ? reference : reference.slice(0, history);
};

// `Type/id` at the end of an absolute reference.
const typeAndId = (reference: string): string => {
  const beforeId = reference.lastIndexOf('/');
  return reference.slice(reference.lastIndexOf('/', beforeId - 1) + 1);
};

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

type Entry = {
  readonly resource: JsonObject;
  readonly type: string;
  /** `fullUrl`, null without one. */
  readonly address: string | null;
};

/** What a server's address for an entry ends with, and the address of the server before it. */
type RestAddress = { readonly base: string; readonly typeAndId: string };

// Null for an address that no server gives to a resource of this type, such as urn:uuid.
const restAddressOf = ({ address, type }: Entry): RestAddress | null => {
  if (address === null || !/^https?:\/\//i.test(address)) return null;
  const end = typeAndId(address);
  const slash = end.indexOf('/');
  if (end.slice(0, slash) !== type || !isResourceId(end.slice(slash + 1))) return null;
  return { base: address.slice(0, -end.length), typeAndId: end };
};

const basesOf = (entries: readonly Entry[]): ReadonlyMap<JsonObject, string> => {
  const bases = new Map<JsonObject, string>();
  for (const entry of entries) {
    const base = restAddressOf(entry)?.base;
    if (base !== undefined) bases.set(entry.resource, base);
  }
  return bases;
};

/** What `Type/id` names; null where two servers have one each, and nothing says which is meant. */
type Named = {
  readonly resource: JsonObject | null;
  /** The same, among resources that state this id themselves. */
  readonly withThatId: JsonObject | null;
};

const resourcesByTypeAndId = (entries: readonly Entry[]): ReadonlyMap<string, Named> => {
  const claims = new Map<string, Claim[]>();
  const claim = (key: string, one: Claim): void => {
    const claimed = claims.get(key);
    if (claimed === undefined) claims.set(key, [one]);
    else claimed.push(one);
  };
  for (const entry of entries) {
    const rest = restAddressOf(entry);
    const id = textOf(entry.resource['id']);
    const own = id === null ? null : `${entry.type}/${id}`;
    const base = rest?.base ?? null;
    if (own !== null) claim(own, { resource: entry.resource, base, statesId: true });
    if (rest !== null && rest.typeAndId !== own)
      claim(rest.typeAndId, { resource: entry.resource, base, statesId: false });
  }
  return new Map(
    [...claims].map(([key, claimed]) => {
      const stating = claimed.filter(({ statesId }) => statesId);
      const others = claimed.filter(({ statesId }) => !statesId);
      const resource = onlyServersOf([...stating, ...others]);
      return [key, { resource, withThatId: onlyServersOf(stating) }];
    }),
  );
};

type Claim = {
  readonly resource: JsonObject;
  readonly base: string | null;
  readonly statesId: boolean;
};

// Of several of one server the first counts.
const onlyServersOf = (claims: readonly Claim[]): JsonObject | null => {
  const bases = new Set(claims.map(({ base }) => base).filter((base) => base !== null));
  return bases.size > 1 ? null : (claims[0]?.resource ?? null);
};

const resourcesByUuid = (entries: readonly Entry[]): ReadonlyMap<string, JsonObject> => {
  const index = new Map<string, JsonObject>();
  for (const { resource } of entries) {
    const id = textOf(resource['id']);
    if (id === null) continue;
    remember(index, id.startsWith('urn:uuid:') ? id : `urn:uuid:${id}`, resource);
  }
  return index;
};

// Of several resources under one address the first counts.
const remember = (
  index: Map<string, JsonObject>,
  address: string | null,
  resource: JsonObject,
): void => {
  if (address !== null && !index.has(address)) index.set(address, resource);
};

const containedIn = (holder: JsonObject): ReadonlyMap<string, JsonObject> => {
  const byId = new Map<string, JsonObject>();
  for (const resource of objectsOf(holder['contained']))
    remember(byId, textOf(resource['id']), resource);
  return byId;
};
