import type { CustomFieldEvent } from '../../domain/custom-field/events.ts';
import type { Decision } from '../../domain/decision.ts';
import {
  bindCustomField,
  type ChangeCustomField,
  changeCustomField,
  type DefineCertificateField,
  type DefineCustomField,
  defineCertificateField,
  defineCustomField,
  restoreCustomField,
  retireCustomField,
} from '../../domain/practice/custom-fields.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import { type Practice, practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { type CommandLog, changeStream } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';

/** Each @throws CommandRefused */
export const createCustomFieldCommands = (log: CommandLog, context: CommandContext) => {
  const decideOn = async (
    practiceId: string,
    decide: (practice: Practice) => Decision<CustomFieldEvent>,
  ): Promise<void> => {
    await changeStream<Practice, PracticeEvent>(
      log,
      context,
      practiceStream(practiceId),
      practiceFold,
      decide,
    );
  };
  return {
    async define(practiceId: string, command: Omit<DefineCustomField, 'fieldId'>): Promise<string> {
      const fieldId = context.newId();
      await decideOn(practiceId, (practice) =>
        defineCustomField({ ...command, fieldId }, practice),
      );
      return fieldId;
    },
    async defineOfCertificate(
      practiceId: string,
      command: Omit<DefineCertificateField, 'fieldId'>,
    ): Promise<void> {
      const fieldId = context.newId();
      await decideOn(practiceId, (practice) =>
        defineCertificateField({ ...command, fieldId }, practice),
      );
    },
    /** @param item `null` to unbind the field */
    bind: (practiceId: string, fieldId: string, item: string | null): Promise<void> =>
      decideOn(practiceId, (practice) => bindCustomField(fieldId, item, practice)),
    change: (practiceId: string, command: ChangeCustomField): Promise<void> =>
      decideOn(practiceId, (practice) => changeCustomField(command, practice)),
    /** Forms no longer offer the field; records keep its values. */
    retire: (practiceId: string, fieldId: string): Promise<void> =>
      decideOn(practiceId, (practice) => retireCustomField(fieldId, practice)),
    restore: (practiceId: string, fieldId: string): Promise<void> =>
      decideOn(practiceId, (practice) => restoreCustomField(fieldId, practice)),
  };
};
