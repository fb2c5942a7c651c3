import type { OperationInput } from './operations.ts';

/** A change of a record without the bot, or of a person in Slack. */
export type Turn =
  | {
      turn: 'suspend' | 'reinstate' | 'demote' | 'promote' | 'unflag' | 'delete' | 'untrain' | 'leave' | 'rename';
      user: string;
    }
  | { turn: 'rename quiz' | 'delete quiz' | 'answer quiz'; quiz: string }
  | { turn: 'deactivate' | 'make guest' | 'move away' | 'unconfirm' | 'restore'; person: string };

/** What happens while the bot works on a step: right before one of its next requests is answered. */
export interface Interruption {
  after: number;
  act: Turn | 'kill';
}

export const envelopes = ['own', 'foreign team', 'foreign enterprise', 'foreign user team', 'no team'] as const;

interface Common {
  /** A handle of `cohort.ts`. */
  who: string;
  envelope?: (typeof envelopes)[number];
  /** The channel that the person is in. */
  in?: string;
  interruption?: Interruption;
  /** Delivered again at the same moment. */
  isDoubled?: boolean;
}

export const naming = ['id', 'name', 'address', 'mention'] as const;

/** What a person asks for: handles (`rosa`; an assignee is `user rosa` or `group a`), or odd texts that name nothing. */
export interface StepInput extends OperationInput {
  /** Counts back from the latest subscription of the cohort; missing, nothing is typed. */
  subscription?: number;
  /** Counts back from the latest plan, batch or campaign that the sequence made, which the operation is about. */
  latest?: number;
  reason?: string;
  naming?: (typeof naming)[number];
}

export type Step =
  | (Common & { do: 'command' | 'form' | 'button' | 'button beside' | 'open form' } & StepInput)
  /** `request` counts back from the latest; -1 names none, and -2 a request that never was. */
  | (Common & { do: 'review' | 'withdraw' | 'withdraw form'; request: number })
  | (Common & { do: 'decide'; request: number; verdict: 'approved' | 'denied'; metadata?: string })
  | (Common & { do: 'password'; user: string })
  | (Common & { do: 'picker'; operation: string; field: string; text: string })
  | (Common & { do: 'shortcut'; operation: string })
  | (Common & { do: 'find'; author: string })
  | (Common & { do: 'home' })
  /** Delivers the payload of an earlier step again, also as if another person had sent it. */
  | { do: 'repeat'; step: number; who?: string }
  | { do: 'turn'; turn: Turn }
  | { do: 'kill' };

/** For messages: a step as short JSON. */
export const stepText = (step: Step): string => JSON.stringify(step);
