import { SUBMISSION_KINDS, type Submission } from './submissions.ts';

/** Counts what is sent, by kind. */
export interface Tally {
  readonly add: (submission: Submission) => void;
  /** One line for each count that is not zero. */
  readonly lines: () => readonly string[];
}

/** A tally of nothing yet. */
export const newTally = (): Tally => {
  const counts = new Map<string, number>(SUBMISSION_KINDS.map((kind) => [kind, 0]));
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  return {
    add: ({ kind, story }) => {
      count(kind);
      if (kind !== 'birth') return;
      const { children, labor, wording } = story;
      if (children.length > 1)
        count(children.length === 2 ? 'births of twins' : 'births of triplets');
      if (children.some(({ stillborn }) => stillborn)) count('stillbirths');
      if (labor.movedFrom !== null) count('mothers moved in');
      if (children.some(({ movedTo }) => movedTo !== null)) count('newborns moved out');
      if (wording.slip !== null) count('births with a value that is left out');
      count(`births at: ${labor.place}`);
    },
    lines: () =>
      [...counts].filter(([, many]) => many > 0).map(([what, many]) => `${what}: ${many}`),
  };
};
