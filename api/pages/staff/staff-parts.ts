import type { ListKeys } from '../../../domain/api-key/listed-key.ts';
import type { FindPartnerAudit, FindPracticeAudit } from '../../../domain/audit/audit-entry.ts';
import type { FindListedPartner, ListPartners } from '../../../domain/partner/listed-partner.ts';
import type {
  FindListedPractice,
  ListBetaPractices,
  SearchPractices,
} from '../../../domain/practice/listed-practice.ts';
import type { Person } from '../../access/person.ts';
import type { KeyCommands } from '../../commands/manage-keys.ts';
import type { MemberCommands } from '../../commands/manage-members.ts';
import type { PartnerCommands } from '../../commands/manage-partners.ts';
import type { PracticeCommands } from '../../commands/manage-practices.ts';
import type { FormMemory } from '../../web/once.ts';

/** What the pages of the service staff work with. Nothing of a birth record is among it. */
export interface StaffParts {
  readonly searchPractices: SearchPractices;
  readonly findPractice: FindListedPractice;
  readonly listBetaPractices: ListBetaPractices;
  readonly listPartners: ListPartners;
  readonly findPartner: FindListedPartner;
  readonly listKeysOfPractice: ListKeys;
  readonly listKeysOfPartner: ListKeys;
  readonly findPracticeAudit: FindPracticeAudit;
  readonly findPartnerAudit: FindPartnerAudit;
  readonly commandsOf: (person: Person) => StaffCommands;
  readonly forms: FormMemory;
  /** Address of the push lane. */
  readonly pushBase: string;
  /** Address to sign in at. */
  readonly signInAt: string;
}

/** What the staff may do. */
export interface StaffCommands {
  readonly practices: PracticeCommands;
  readonly partners: PartnerCommands;
  readonly keys: KeyCommands;
  readonly members: MemberCommands;
}
