import type { GrantKind } from './proofs.ts';
import type { proofs } from './agent-calls.ts';
import type { OperationInput } from './operations.ts';

/** What many connections do at once: begin a request that nobody has verified and leave it unfinished, or have it refused. */
export const waveKinds = ['unfinished with a signature', 'unfinished with a token', 'unfinished', 'refused'] as const;

export interface Wave {
  kind: (typeof waveKinds)[number];
  path: '/mcp' | '/slack/events' | '/webhooks/quiz';
}

/** A change of a record without the bot, or of a person in Slack. */
export type Turn =
  | {
      turn: 'suspend' | 'reinstate' | 'demote' | 'promote' | 'unflag' | 'delete' | 'untrain' | 'leave' | 'rename';
      user: string;
    }
  /** `make trainer` keeps the rights; `retrain` gives a trainer another quiz and another group in place of theirs. */
  | { turn: 'make trainer' | 'retrain' | 'readdress'; user: string }
  | { turn: 'rename quiz' | 'delete quiz' | 'answer quiz' | 'close quiz'; quiz: string }
  | { turn: 'deactivate' | 'make guest' | 'move away' | 'unconfirm' | 'restore'; person: string };

/** What happens while the bot works on a step: right before one of its next requests is answered. */
interface Interruption {
  after: number;
  act: Turn | 'kill';
  /** Changes the account while the killed bot is down. */
  whileDown?: Turn | undefined;
}

export const envelopes = ['own', 'foreign team', 'foreign enterprise', 'foreign user team', 'no team'] as const;

/** What a step can have of the other tenant: IDs by field, and what its people were sent, shown and asked. */
export const foreignParts = [
  'quiz',
  'user',
  'group',
  'response',
  'assignees',
  'channel',
  'subscription',
  /** The plan, batch or campaign. */
  'latest',
  'request',
  'token',
  'grant',
  'file',
  /** The workspace that the payload names. */
  'team',
  /** Trigger, response URL and view. */
  'hooks',
] as const;
export type ForeignPart = (typeof foreignParts)[number];

/** To which tenant’s address a step goes, and with whose secret it is signed. */
export interface Door {
  to: 'own' | 'other';
  signed: 'own' | 'other';
}

/** Of what is there in the other tenant, or comes by its doors. Where there is no other tenant, a step has its own. */
interface Crossing {
  foreign?: readonly ForeignPart[];
  /** Default: its own tenant’s. */
  door?: Door;
}

interface Common extends Crossing {
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
  | (Common & { do: 'command' | 'message' | 'form' | 'button' | 'button beside' | 'open form' } & StepInput)
  /**
   * A workflow runs a step with the person’s rights: `assign-quiz`; `start-campaign`, which also starts what it plans; `create-user`;
   * or `show-results`. Its assignees are a user, a group or both, and its user is a person. `grant`: without one, what the bot gave
   * the person who set it up.
   */
  | (Common & { do: 'workflow step'; grant?: GrantKind } & StepInput)
  /**
   * An agent calls the operation’s tool. `claims`: whom the message names, if somebody else. `session`: of the protocol before 2026,
   * which the bot does not keep.
   */
  | (Common & {
      do: 'agent';
      proof: (typeof proofs)[number];
      claims?: string;
      session?: string;
      shape?: 'in a list' | 'from a page';
    } & StepInput)
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
  /** What the other tenant’s workspace delivered in an earlier step comes to this one. */
  | { do: 'replay'; step: number; door?: Door }
  /** The service tells of an attempt. `signed`: with whose secret, if not its own. */
  | ({ do: 'webhook'; response: string; signed?: 'nobody' } & Crossing)
  /** A step in the other tenant, by its own people. */
  | { do: 'elsewhere'; step: Step }
  | { do: 'turn'; turn: Turn }
  | { do: 'kill'; whileDown?: Turn | undefined }
  /**
   * The answer to the cohort’s next change is kept back, waited for, and given: what happens in between comes after one row of a
   * batch and before the bot looks at the next.
   */
  | { do: 'keep back' | 'await change' | 'give back' }
  /**
   * The next creation of a user of the cohort gets no answer and is not made, and a user with the same user name and other rights
   * appears in the service.
   */
  | { do: 'lose creation' }
  /** The bot’s clock goes ahead: by more than an approval lasts, unless it says how long. */
  | { do: 'leap'; long?: keyof typeof leaps }
  /** Many connections at once, which stay until the sequence ends. */
  | ({ do: 'wave' } & Wave)
  /** Waits until no batch of the cohort runs. */
  | { do: 'await batches' };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** In milliseconds: an approval lasts a day, a token 30 days, and a step that does not run 90. */
export const leaps = {
  'two minutes': 2 * minuteMs,
  'a day': dayMs + 60 * minuteMs,
  'three weeks': 21 * dayMs,
  'a month': 31 * dayMs,
  'a quarter': 91 * dayMs,
} as const;

/** A step that a person sends. */
export type DeliveredStep = Extract<Step, Common>;

/** For messages: a step as short JSON. */
export const stepText = (step: Step): string => JSON.stringify(step);
