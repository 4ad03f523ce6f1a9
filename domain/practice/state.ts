import type { PracticeEvent } from './events.ts';

/** A practice as its events tell it. */
export type Practice =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly practiceId: string;
      readonly name: string;
      readonly sandbox: boolean;
      readonly beta: boolean;
    };

/** A practice before its first event. */
export const unknownPractice: Practice = { status: 'unknown' };

/** The practice after one more event. */
export const evolve = (state: Practice, event: PracticeEvent): Practice => {
  switch (event.type) {
    case 'PracticeCreated':
      return { status: 'known', ...event.data };
    case 'PracticeSandboxSet':
      return state.status === 'unknown' ? state : { ...state, sandbox: event.data.sandbox };
    case 'PracticeBetaSet':
      return state.status === 'unknown' ? state : { ...state, beta: event.data.beta };
  }
};
