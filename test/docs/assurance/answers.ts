/** Answers to a requirement, in the order in which the page counts them. */
export const ANSWERS = ['met', 'partly', 'not met', 'operator', 'does not apply'] as const;
export type AnswerKind = (typeof ANSWERS)[number];

/** Documents that answers refer to, by the name of their link. */
export const DOCUMENTS = {
  'access log': 'operator.md#keep-the-access-log',
  auditors: 'auditor.md',
  backup: 'backup.md',
  capacity: 'capacity.md',
  'cannot sign in': 'staff.md#helping-somebody-who-cannot-sign-in',
  'changed what': 'practice-admin.md#see-who-changed-what',
  connections: '#connections',
  'custom fields': 'practice-admin.md#ask-for-more-custom-fields',
  data: '#data-and-how-each-kind-is-protected',
  dependencies: 'supply.md',
  duplicates: 'decisions/2026-11-22-pairs-of-look-alikes.md',
  'encrypted backups': 'backup.md#encrypted',
  'first accounts': 'operator.md#make-the-first-accounts',
  guessing: 'decisions/2026-11-21-guesses-from-elsewhere.md',
  'how soon': 'supply.md#how-soon',
  imports: 'practice-admin.md#import-a-spreadsheet',
  integrators: 'integrator.md',
  keys: '#keys-and-algorithms',
  logs: '#logs',
  'lost Admins': 'operator.md#when-a-practice-has-lost-its-admins',
  monitoring: 'operations-watching.md',
  'new keys': 'decisions/2026-11-24-new-keys.md',
  'new secret': 'operator.md#change-the-secret',
  'operator backups': 'operator.md#back-up',
  pages: 'decisions/2026-11-20-web-frame.md',
  partners: 'partner.md#what-is-kept',
  passwords: '#words-that-a-password-may-not-contain',
  proofs: 'proof.md#watch-the-log',
  proxy: 'deployment.md#the-proxy-in-front',
  'proxy logs': 'operator.md#what-a-proxy-may-log',
  reliability: 'reliability.md',
  run: 'deployment.md#4-run',
  seats: 'practice-admin.md#give-people-seats',
  secrets: 'deployment.md#2-secrets',
  sessions: '#sessions',
  settings: 'settings.md',
  'anonymous callers': 'threat-model.md#what-an-anonymous-caller-can-leave-behind',
  attacks: 'threat-model.md#attacks',
  threats: 'threat-model.md',
  troubleshooting: 'operator.md#when-something-is-wrong',
  'ways in': '#ways-in',
  'your part': 'deployment.md#what-else-is-yours',
} as const;
export type DocumentName = keyof typeof DOCUMENTS;

/** What an answer rests on. */
export interface Evidence {
  /** Files or folders of the service. */
  readonly code?: readonly string[];
  readonly tests?: readonly string[];
  readonly documents?: readonly DocumentName[];
}

/** A requirement by its id in the standard, with our answer in plain sentences. */
export interface Answer extends Evidence {
  readonly id: string;
  readonly answer: Exclude<AnswerKind, 'does not apply'>;
  readonly text: string;
  /** What is missing, if the answer is `partly` or `not met`. */
  readonly gap?: string;
}

/** Requirements about something that the registry does not have. */
export interface Inapplicable {
  readonly ids: readonly string[];
  readonly reason: string;
}

/** A chapter of a standard, or a whole standard. */
export interface Chapter {
  readonly title: string;
  readonly answers: readonly Answer[];
  readonly inapplicable: readonly Inapplicable[];
}

/** Answer of each requirement of a chapter, by id. */
export const answersById = ({
  answers,
  inapplicable,
}: Chapter): readonly [string, AnswerKind][] => [
  ...answers.map(({ id, answer }): [string, AnswerKind] => [id, answer]),
  ...inapplicable.flatMap(({ ids }) =>
    ids.map((id): [string, AnswerKind] => [id, 'does not apply']),
  ),
];
