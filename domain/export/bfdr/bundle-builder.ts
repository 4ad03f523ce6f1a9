import type { Child, CourseOfCare } from '../../course/course.ts';
import type { FieldPath } from '../../course/fields.ts';
import type { JsonObject } from '../../fhir/json.ts';
import type { AbsentReason } from './elements.ts';

export interface ExportedContent {
  readonly course: CourseOfCare;
  readonly positions: readonly number[];
  /** Why values are missing. */
  readonly absences: readonly Absence[];
}

export interface Absence {
  readonly path: FieldPath;
  /** Zero-based; null for a value of the course. */
  readonly child: number | null;
  readonly reason: AbsentReason;
}

export const selectChildren = ({ course, positions }: ExportedContent): readonly Child[] =>
  course.children.filter((_, position) => positions.includes(position));

export const isOfOneChild = ({ course, positions }: ExportedContent): boolean =>
  positions.length < course.children.length;

/** `null` if the document is about all children of several. */
export const findOnlyChild = ({
  course,
  positions,
}: Pick<ExportedContent, 'course' | 'positions'>): Child | null => {
  const [first = 0, ...others] = positions;
  return others.length === 0 ? (course.children[first] ?? null) : null;
};

export const buildChildKey = (position: number): string => `child-${position + 1}`;

export const buildFirstChildKey = ({ positions: [first = 0] }: ExportedContent): string =>
  buildChildKey(first);

/** Key of a resource that refers to the child: it differs between the documents of a multiple birth. */
export const buildKey = (content: ExportedContent, key: string): string =>
  isOfOneChild(content) ? `${key}/${buildFirstChildKey(content)}` : key;

export interface BundleBuilder {
  readonly entry: (key: string, type: string, elements: JsonObject) => JsonObject;
  readonly to: (key: string) => JsonObject;
}

/** Derived from the record's id and the resource's key, so every export has the same ids. */
export const createBundleBuilder = (submissionUuid: string): BundleBuilder => {
  const ids = new Map<string, string>();
  const getId = (key: string): string => {
    const existingId = ids.get(key);
    if (existingId !== undefined) return existingId;
    const id = buildUuid(submissionUuid, key);
    ids.set(key, id);
    return id;
  };
  return {
    entry: (key, type, elements) => {
      const id = getId(key);
      return { fullUrl: `urn:uuid:${id}`, resource: { resourceType: type, id, ...elements } };
    },
    to: (key) => ({ reference: `urn:uuid:${getId(key)}` }),
  };
};

const NODE_START = 24;
const VERSION_AT = 14;

// First 80 bits from the record's UUID, last 48 from the key. @see RFC 9562 "UUID Version 8"
const buildUuid = (submissionUuid: string, key: string): string =>
  `${submissionUuid.slice(0, VERSION_AT)}8${submissionUuid.slice(VERSION_AT + 1, NODE_START)}${computeDigest(key)}`;

/** Not cryptographic. */
const computeDigest = (key: string): string => {
  // Two FNV-1a hashes with different seeds. @see draft-eastlake-fnv
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
