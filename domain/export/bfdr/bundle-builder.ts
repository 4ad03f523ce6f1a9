import type { Child, CourseOfCare } from '../../course/course.ts';
import type { JsonObject } from '../../fhir/json.ts';

/** A course of care as far as one document tells it: with all of its children, or with one. */
export interface ExportedContent {
  readonly course: CourseOfCare;
  /** The positions of the children in the course of care. */
  readonly positions: readonly number[];
}

/** The children of a document. */
export const selectChildren = ({ course, positions }: ExportedContent): readonly Child[] =>
  course.children.filter((_, position) => positions.includes(position));

/** Says whether the document leaves out children of the birth. */
export const isOfOneChild = ({ course, positions }: ExportedContent): boolean =>
  positions.length < course.children.length;

/** The key of a child's Patient by its position in the record. */
export const buildChildKey = (position: number): string => `child-${position + 1}`;

/** The key of the first child of a document. */
export const buildFirstChildKey = ({ positions: [first = 0] }: ExportedContent): string =>
  buildChildKey(first);

/** The key of a resource that names the child of a document: it is another one in the document of each child. */
export const buildKey = (told: ExportedContent, key: string): string =>
  isOfOneChild(told) ? `${key}/${buildFirstChildKey(told)}` : key;

/** A document that is being written: it names its resources, and refers to them. */
export interface BundleBuilder {
  /** The Bundle entry of a resource; `key` tells it from the others of the document. */
  readonly entry: (key: string, type: string, content: JsonObject) => JsonObject;
  /** A Reference to the resource of a key. */
  readonly to: (key: string) => JsonObject;
}

/**
 * Begins the document of a record. Every resource has the same id each time the record is written:
 * it is made of the record's id and the key of the resource.
 * @param submissionUuid a UUID
 */
export const createBundleBuilder = (submissionUuid: string): BundleBuilder => {
  const ids = new Map<string, string>();
  const idOf = (key: string): string => {
    const made = ids.get(key);
    if (made !== undefined) return made;
    const id = buildUuid(submissionUuid, key);
    ids.set(key, id);
    return id;
  };
  return {
    entry: (key, type, content) => {
      const id = idOf(key);
      return { fullUrl: `urn:uuid:${id}`, resource: { resourceType: type, id, ...content } };
    },
    to: (key) => ({ reference: `urn:uuid:${idOf(key)}` }),
  };
};

const NODE_START = 24;
const VERSION_AT = 14;

// Of the record's UUID the first 80 bits, of the key the last 48. @see RFC 9562 "UUID Version 8"
const buildUuid = (submissionUuid: string, key: string): string =>
  `${submissionUuid.slice(0, VERSION_AT)}8${submissionUuid.slice(VERSION_AT + 1, NODE_START)}${computeDigest(key)}`;

/** Twelve hexadecimal digits that tell one key from another; nothing is kept secret by them. */
const computeDigest = (key: string): string => {
  // Two FNV-1a hashes that begin differently. @see draft-eastlake-fnv
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let at = 0; at < key.length; at += 1) {
    const unit = key.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit ^ (high >>> 16), 0x01000193);
  }
  return toHexadecimal(high, 4) + toHexadecimal(low >>> 16, 2);
};

const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

const toHexadecimal = (value: number, bytes: number): string => {
  let digits = '';
  for (let at = bytes - 1; at >= 0; at -= 1) digits += BYTES[(value >>> (8 * at)) & 0xff];
  return digits;
};
