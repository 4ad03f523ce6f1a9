/** A practice as the staff list it. */
export interface ListedPractice {
  readonly practiceId: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
  /** IANA id. */
  readonly timeZone: string;
  readonly members: number;
  readonly liveKeys: number;
}

/** A stretch of the practices whose name holds a text, in the order of their names. */
export type SearchPractices = (asked: {
  readonly text: string;
  readonly from: number;
  readonly count: number;
}) => Promise<{ readonly total: number; readonly practices: readonly ListedPractice[] }>;

/** One practice; null if there is none. */
export type FindListedPractice = (practiceId: string) => Promise<ListedPractice | null>;

/** Practices in the beta, in the order of their names. */
export type ListBetaPractices = () => Promise<
  readonly { readonly practiceId: string; readonly name: string }[]
>;
