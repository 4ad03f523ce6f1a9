import { isUuid } from '../text-input.ts';
import {
  isTooLongToResolve,
  type LogicalReference,
  readIdentifierSearch,
  readLogicalReference,
} from './identifiers.ts';
import { asObjects, asText, cacheBy, isObject, type JsonObject } from './json.ts';
import { hasModified, isModified, removeModified } from './modifiers.ts';
import {
  getProfiles,
  isNewer,
  isResourceId,
  parseProfileName,
  readVersionMark,
} from './resources.ts';
import { spendBudget } from './steps.ts';

export type Resolve = (reference: unknown, holder: JsonObject) => JsonObject | null;

/** `element` is null for the entire resource. */
export type OmittedResource = { readonly resource: JsonObject; readonly element: string | null };

export type Document = {
  readonly listAll: () => readonly JsonObject[];
  readonly ofType: (type: string) => readonly JsonObject[];
  readonly resolve: Resolve;
  readonly isContained: (resource: JsonObject, holder: JsonObject) => boolean;
  /** Entries with a DELETE request. Their resources are not read. */
  readonly deletions: readonly JsonObject[];
  readonly leftOut: readonly OmittedResource[];
};

/** If several entries have the same resource, the newest one replaces the first. */
export const openDocument = (bundle: JsonObject): Document => {
  const byType = new Map<string, JsonObject[]>();
  const byAddress = new Map<string, JsonObject>();
  const deletions: JsonObject[] = [];
  const leftOut: OmittedResource[] = [];
  const entries: Entry[] = [];
  for (const listed of keepNewestEntries(asObjects(bundle['entry']), deletions)) {
    const isWhole = !listed.isModified && !hasModified(listed.resource);
    const resource = isWhole ? listed.resource : removeOmitted(listed, leftOut);
    if (resource === null) continue;
    const { type, address } = listed;
    const sameType = byType.get(type);
    if (sameType === undefined) byType.set(type, [resource]);
    else sameType.push(resource);
    addOnce(byAddress, address, resource);
    entries.push(isWhole ? listed : { resource, type, address });
  }
  // Built on first use, because few Bundles need all of them.
  const byTypeAndId = memoize(() => indexByTypeAndId(entries));
  const byUuid = memoize(() => indexByUuid(entries));
  const byIdentifier = memoize(() => indexByIdentifier(entries));
  const bases = memoize(() => listBases(entries));
  const find = (reference: string, holder: JsonObject): JsonObject | null => {
    const current = removeVersion(reference);
    const exact = byAddress.get(reference) ?? byAddress.get(current);
    if (exact !== undefined) return exact;
    if (current.includes(':')) {
      const named = byUuid().get(current);
      return named ?? byTypeAndId().get(formatTypeAndId(current))?.withThatId ?? null;
    }
    return findRelative(current, bases().get(holder) ?? null);
  };
  const relatives = new Map<string | null, Map<string, JsonObject | null>>();
  // Cached, because nearly all references in a Bundle are to the mother or child.
  const findRelative = (reference: string, base: string | null): JsonObject | null => {
    const known = relatives.get(base)?.get(reference);
    if (known !== undefined) return known;
    // A relative reference is relative to the server of its own entry.
    const sameServer = base === null ? undefined : byAddress.get(`${base}${reference}`);
    const found = sameServer ?? byTypeAndId().get(formatTypeAndId(reference))?.resource ?? null;
    const ofBase = relatives.get(base) ?? new Map<string, JsonObject | null>();
    relatives.set(base, ofBase.set(reference, found));
    return found;
  };
  const findLogical = ({ type, system, value }: LogicalReference): JsonObject | null =>
    byIdentifier().get(normalizeAddress(value))?.get(system)?.get(type) ?? null;
  const contained = cacheBy(listContained);
  const findContained = (id: string, holder: JsonObject): JsonObject | null =>
    contained(holder).byId.get(id) ?? null;
  const findNamed = (text: string, holder: JsonObject): JsonObject | null => {
    if (text.startsWith('#')) return findContained(text.slice(1), holder);
    const exact = byAddress.get(text);
    if (exact !== undefined) return exact;
    const search = readIdentifierSearch(text);
    return search === null ? find(normalizeAddress(text), holder) : findLogical(search);
  };
  return {
    listAll: () => entries.map(({ resource }) => resource),
    ofType: (type) => {
      const resources = byType.get(type) ?? [];
      spendBudget(resources.length);
      return resources;
    },
    resolve: (reference, holder) => {
      if (!isObject(reference)) return null;
      const sent = reference['reference'];
      const text = isTooLongToResolve(sent) ? null : asText(sent);
      const named = text === null ? null : findNamed(text, holder);
      if (named !== null) return named;
      const logical = readLogicalReference(reference);
      return logical === null ? null : findLogical(logical);
    },
    isContained: (resource, holder) =>
      holder['contained'] !== undefined && contained(holder).all.has(resource),
    deletions,
    leftOut,
  };
};

/** True if an entry has a DELETE request. @see spec "Record lifecycle" */
export const isDeleted = (entry: JsonObject): boolean => {
  const request = entry['request'];
  return isObject(request) && asText(request['method'])?.toUpperCase() === 'DELETE';
};

const UUID_LENGTH = 36;
const URN_UUID = 'urn:uuid:';

// UUIDs are case-insensitive. @see RFC 9562
const normalizeAddress = (address: string): string => {
  const from = address.length - UUID_LENGTH;
  if (from < 0 || address[from + 8] !== '-') return address;
  const end = address.slice(from);
  const uuid = end.toLowerCase();
  // Fast path: nearly all UUIDs are already in lower case.
  if (uuid === end && (from !== URN_UUID.length || address.startsWith(URN_UUID))) return address;
  if (!isUuid(uuid)) return address;
  const before = address.slice(0, from);
  return before.toLowerCase() === URN_UUID ? `${URN_UUID}${uuid}` : `${before}${uuid}`;
};

const readAddress = (entry: JsonObject): string | null => {
  const address = asText(entry['fullUrl']);
  return address === null ? null : normalizeAddress(address);
};

type ListedEntry = Entry & { readonly isModified: boolean };

type Places = {
  readonly byAddress: Map<string, number>;
  readonly byId: Map<string, number>;
};

/** Keeps the newest entry of each resource, and moves DELETE entries to `deletions`. */
const keepNewestEntries = (
  listed: readonly JsonObject[],
  deletions: JsonObject[],
): readonly ListedEntry[] => {
  const all: ListedEntry[] = [];
  const addresses = new Set<string>();
  for (const entry of listed) {
    if (isDeleted(entry)) {
      deletions.push(entry);
      continue;
    }
    const resource = entry['resource'];
    if (!isObject(resource)) continue;
    const type = resource['resourceType'];
    if (typeof type !== 'string') continue;
    const address = readAddress(entry);
    if (address !== null) addresses.add(removeVersion(address));
    all.push({ resource, type, address, isModified: isModified(entry) });
  }
  // Fast path: in nearly all Bundles, each entry has its own address.
  return addresses.size === all.length ? all : keepNewest(all);
};

const keepNewest = (all: readonly ListedEntry[]): readonly ListedEntry[] => {
  const entries: ListedEntry[] = [];
  // The entry that others are compared with is read once.
  const getMark = cacheBy(readVersionMark);
  const getProfileNames = cacheBy(listProfileNames);
  const placesOfTypes = new Map<string, Places>();
  // Ids distinguish only entries that have no address.
  const areAllAddressed = all.every(({ address }) => address !== null);
  for (const next of all) {
    const { resource, type } = next;
    const id = areAllAddressed ? null : asText(resource['id']);
    const address = next.address === null ? null : removeVersion(next.address);
    const ownId = id === null ? null : normalizeAddress(id);
    const places = placesOfTypes.get(type) ?? { byAddress: new Map(), byId: new Map() };
    placesOfTypes.set(type, places);
    const place = findSame(next, address, ownId, entries, places, getProfileNames);
    const existing = place === undefined ? undefined : entries[place];
    if (place === undefined || existing === undefined) {
      if (address !== null) places.byAddress.set(address, entries.length);
      if (ownId !== null && !places.byId.has(ownId)) places.byId.set(ownId, entries.length);
      entries.push(next);
      continue;
    }
    const newer = isNewer(getMark(resource), getMark(existing.resource)) ? next : existing;
    entries[place] = { ...newer, address: existing.address ?? next.address };
    if (address !== null) places.byAddress.set(address, place);
  }
  return entries;
};

// Compares addresses, else ids: two addresses are two resources, even with the same id.
const findSame = (
  { address, resource }: Entry,
  addressWithoutVersion: string | null,
  id: string | null,
  entries: readonly Entry[],
  { byAddress, byId }: Places,
  getProfileNames: (resource: JsonObject) => ReadonlySet<string>,
): number | undefined => {
  const sameAddress =
    addressWithoutVersion === null ? undefined : byAddress.get(addressWithoutVersion);
  if (sameAddress !== undefined || id === null) return sameAddress;
  const sameId = byId.get(id);
  const other = sameId === undefined ? undefined : entries[sameId];
  if (other === undefined || (address !== null && other.address !== null)) return undefined;
  return areApart(getProfileNames(resource), getProfileNames(other.resource)) ? undefined : sameId;
};

const listProfileNames = (resource: JsonObject): ReadonlySet<string> =>
  new Set(getProfiles(resource).map(parseProfileName));

// Some senders give mother and child the same id, so different profiles mean different resources.
const areApart = (names: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  if (names.size === 0 || others.size === 0) return false;
  for (const name of names) if (others.has(name)) return false;
  return true;
};

/** Types whose modified resources remain in the document without content: a mother is still the mother. */
const STAYING: ReadonlySet<string> = new Set(['Patient', 'Composition', 'Consent']);

/** Removes modified elements and adds them to `leftOut`. Returns null if nothing remains. */
const removeOmitted = (
  { resource, type, isModified: isEntryModified }: ListedEntry,
  leftOut: OmittedResource[],
): JsonObject | null => {
  const unmodified = removeModified(resource);
  const elements = unmodified.leftOut;
  // An Observation's value has no meaning without its code, but each component is read separately.
  const isEntirelyOmitted =
    isEntryModified ||
    isModified(resource) ||
    (type === 'Observation' && elements.some((element) => element !== 'component'));
  if (isEntirelyOmitted) {
    const { resourceType, id, meta } = resource;
    const staying = STAYING.has(type) ? { resourceType, id, meta } : null;
    leftOut.push({ resource: staying ?? resource, element: null });
    return staying;
  }
  if (type === 'Observation') return resource;
  for (const element of elements) leftOut.push({ resource: unmodified.resource, element });
  return unmodified.resource;
};

const removeVersion = (reference: string): string => {
  const history = reference.indexOf('/_history/');
  return history < 0 ? reference : reference.slice(0, history);
};

// `Type/id` at the end of an absolute reference.
const formatTypeAndId = (reference: string): string => {
  const beforeId = reference.lastIndexOf('/');
  return reference.slice(reference.lastIndexOf('/', beforeId - 1) + 1);
};

const memoize = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

type Entry = {
  readonly resource: JsonObject;
  readonly type: string;
  readonly address: string | null;
};

/** Address of an entry on a server, split into the base URL and `Type/id`. */
type RestAddress = { readonly base: string; readonly typeAndId: string };

// Null if the address is not on a server or not of this type, such as urn:uuid.
const parseRestAddress = ({ address, type }: Entry): RestAddress | null => {
  if (address === null || isTooLongToResolve(address) || !/^https?:\/\//i.test(address))
    return null;
  const end = formatTypeAndId(address);
  const slash = end.indexOf('/');
  if (end.slice(0, slash) !== type || !isResourceId(end.slice(slash + 1))) return null;
  return { base: address.slice(0, -end.length), typeAndId: end };
};

const listBases = (entries: readonly Entry[]): ReadonlyMap<JsonObject, string> => {
  const bases = new Map<JsonObject, string>();
  spendBudget(entries.length);
  for (const entry of entries) {
    const base = parseRestAddress(entry)?.base;
    if (base !== undefined) bases.set(entry.resource, base);
  }
  return bases;
};

/** Target of `Type/id`; null if it is ambiguous because two servers each have one. */
type Named = {
  readonly resource: JsonObject | null;
  /** Target among the resources whose own id is this one. */
  readonly withThatId: JsonObject | null;
};

const indexByTypeAndId = (entries: readonly Entry[]): ReadonlyMap<string, Named> => {
  const claims = new Map<string, Claim[]>();
  const claim = (key: string, one: Claim): void => {
    const claimed = claims.get(key);
    if (claimed === undefined) claims.set(key, [one]);
    else claimed.push(one);
  };
  for (const entry of entries) {
    const rest = parseRestAddress(entry);
    const id = asText(entry.resource['id']);
    const own = id === null ? null : normalizeAddress(`${entry.type}/${id}`);
    const base = rest?.base ?? null;
    if (own !== null) claim(own, { resource: entry.resource, base, statesId: true });
    if (rest !== null && rest.typeAndId !== own)
      claim(rest.typeAndId, { resource: entry.resource, base, statesId: false });
  }
  const named = new Map<string, Named>();
  for (const [key, claimed] of claims) named.set(key, chooseClaim(claimed));
  return named;
};

const chooseClaim = (claimed: readonly Claim[]): Named => {
  const [only] = claimed;
  // Fast path: nearly always.
  if (only !== undefined && claimed.length === 1)
    return { resource: only.resource, withThatId: only.statesId ? only.resource : null };
  const stating = claimed.filter(({ statesId }) => statesId);
  const notStating = claimed.filter(({ statesId }) => !statesId);
  const resource = findOnSingleServer([...stating, ...notStating]);
  return { resource, withThatId: findOnSingleServer(stating) };
};

type Claim = {
  readonly resource: JsonObject;
  readonly base: string | null;
  readonly statesId: boolean;
};

// The first resource, or null if they are from different servers.
const findOnSingleServer = (claims: readonly Claim[]): JsonObject | null => {
  const bases = new Set(claims.map(({ base }) => base).filter((base) => base !== null));
  return bases.size > 1 ? null : (claims[0]?.resource ?? null);
};

const indexByUuid = (entries: readonly Entry[]): ReadonlyMap<string, JsonObject> => {
  const index = new Map<string, JsonObject>();
  for (const { resource } of entries) {
    const id = asText(resource['id']);
    if (id === null) continue;
    addOnce(index, normalizeAddress(id.startsWith(URN_UUID) ? id : `${URN_UUID}${id}`), resource);
  }
  return index;
};

/** `null` if there are several. A null key matches any; an empty system, an identifier without one. */
type Identified = Map<string | null, Map<string | null, JsonObject | null>>;

const indexByIdentifier = (entries: readonly Entry[]): ReadonlyMap<string, Identified> => {
  const index = new Map<string, Identified>();
  for (const { resource, type } of entries) {
    for (const identifier of asObjects(resource['identifier'])) {
      const value = asText(identifier['value']);
      if (value === null) continue;
      const key = normalizeAddress(value);
      const identified: Identified = index.get(key) ?? new Map();
      index.set(key, identified);
      for (const system of [asText(identifier['system']) ?? '', null]) {
        const ofSystem = identified.get(system) ?? new Map<string | null, JsonObject | null>();
        identified.set(system, ofSystem);
        for (const anyOrType of [type, null]) {
          const existing = ofSystem.get(anyOrType);
          const isOnly = existing === undefined || existing === resource;
          ofSystem.set(anyOrType, isOnly ? resource : null);
        }
      }
    }
  }
  return index;
};

// The first resource with an address is used.
const addOnce = (
  index: Map<string, JsonObject>,
  address: string | null,
  resource: JsonObject,
): void => {
  if (address !== null && !index.has(address)) index.set(address, resource);
};

interface Contained {
  readonly byId: ReadonlyMap<string, JsonObject>;
  readonly all: ReadonlySet<JsonObject>;
}

const listContained = (holder: JsonObject): Contained => {
  const all = asObjects(holder['contained']);
  const byId = new Map<string, JsonObject>();
  for (const resource of all) addOnce(byId, asText(resource['id']), resource);
  return { byId, all: new Set(all) };
};
