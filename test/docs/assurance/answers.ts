/** Answers to a requirement, in the order in which the page counts them. */
export const ANSWERS = ['met', 'partly', 'not met', 'operator', 'does not apply'] as const;
export type AnswerKind = (typeof ANSWERS)[number];

/** Documents that answers refer to, by the name of their link. */
export const DOCUMENTS = {
  'access log': 'operate/retention.md#archive-the-access-log',
  auditors: 'auditor.md',
  backup: 'operate/back-up.md',
  capacity: 'capacity.md',
  'cannot sign in': 'staff.md#help-someone-who-cannot-sign-in',
  'changed what': 'practice-admin.md#see-who-changed-what',
  connections: '#connections',
  'custom fields': 'practice-admin.md#add-custom-fields',
  data: '#data-and-how-each-kind-is-protected',
  dependencies: 'supply.md',
  duplicates: 'design/duplicates.md#finding',
  'encrypted backups': 'operate/back-up.md#encrypt-backups',
  'first accounts': 'operate/install.md#make-the-first-accounts',
  guessing: 'design/accounts.md#guessing',
  'how soon': 'supply.md#how-soon',
  imports: 'registrar.md#import-a-spreadsheet',
  integrators: 'integrator.md',
  keys: '#keys-and-algorithms',
  logs: '#logs',
  'lost Admins': 'operate/troubleshoot.md#a-practice-has-no-admin',
  monitoring: 'operate/monitor.md',
  'new keys': 'operate/rotate-keys.md#make-new-keys',
  'new secret': 'operate/rotate-keys.md#change-the-secret',
  'operator backups': 'operate/back-up.md',
  pages: 'design/pages.md#pages-and-forms',
  partners: 'partner.md#what-is-kept',
  passwords: '#words-that-a-password-may-not-contain',
  proofs: 'proof.md#watch-the-log',
  proxy: 'operate/deploy.md#the-proxy',
  'proxy logs': 'operate/deploy.md#what-the-proxy-may-log',
  reliability: 'reliability.md',
  run: 'operate/deploy.md#choose',
  seats: 'practice-admin.md#give-people-roles',
  secrets: 'operate/deploy.md#secrets',
  sessions: '#sessions',
  settings: 'operate/configure.md#settings',
  'anonymous callers': 'threat-model.md#what-an-anonymous-caller-can-leave-behind',
  attacks: 'threat-model.md#attacks',
  threats: 'threat-model.md',
  troubleshooting: 'operate/troubleshoot.md',
  'ways in': '#ways-in',
  'your part': 'operate/deploy.md#what-else-you-provide',
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
