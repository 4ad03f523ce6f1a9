import type { Fact } from './event-log.ts';
import type { Infer, Schema } from './schema.ts';
import type { StreamKind } from './stream-names.ts';

type Events = Readonly<Record<string, { readonly stream: StreamKind; readonly schema: Schema }>>;

/**
 * Declares the events of a kind of stream: the schema of each one's data, which is checked on append and on read,
 * and its type. The log keeps data forever, and earlier releases may read it: add optional properties, and
 * never rename, retype, or remove one.
 * @see CONTRIBUTING.md#add-an-event
 */
export const defineEvents = <Schemas extends Readonly<Record<string, Schema>>>(
  stream: StreamKind,
  schemas: Schemas,
) =>
  Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => [type, { stream, schema }]),
  ) as {
    readonly [Type in keyof Schemas]: {
      readonly stream: StreamKind;
      readonly schema: Schemas[Type];
    };
  };

export type InferEvent<Table extends Events, Type extends keyof Table> = Type extends string
  ? Fact<Type, Infer<Table[Type]['schema']>>
  : never;
