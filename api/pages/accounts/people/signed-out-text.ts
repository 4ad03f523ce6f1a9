import { countInWords } from '../../../../domain/format-measures.ts';
import {
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';

export const describeEndedSessions = (person: NamedPerson, ended: number): string =>
  ended === 0
    ? `${displayNameWithEmail(person)} was not signed in anywhere.`
    : `${displayNameWithEmail(person)} was signed out of ${countInWords(ended, 'browser')}.`;
