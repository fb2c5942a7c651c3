/** A record of an answer, with the fields of the specification's section 2. */
export type Fields = Readonly<Record<string, unknown>>;

export type Resource = 'quiz' | 'group' | 'user' | 'assigned_quiz' | 'response' | 'question' | 'option';

/** Why the rough account has an oddity. */
export const sources = {
  seen: 'seen or plausible in real accounts',
  help: 'public help of such a service',
  open: 'not shown in the specification',
} as const;

/** A way in which a real account differs from the specification's tables. */
export interface Oddity {
  name: string;
  /** The field or the kind of answer that is odd. */
  where: string;
  what: string;
  source: keyof typeof sources;
}

/** An oddity of a record, in every answer and webhook that contains the record. */
export interface RecordOddity extends Oddity {
  resource: Resource;
  /** `dealt`: a share of the records that fit. `all`: every record that fits. `sample`: sample data, nothing to change. */
  reach: 'dealt' | 'all' | 'sample';
  fits: (record: Fields) => boolean;
  /**
   * Returns what is sent instead of the record.
   * @param zone the time zone in which the account writes its dates
   */
  change: (record: Fields, zone: string) => unknown;
  /** Recognizes the oddity in a record of this resource. */
  shows: (record: unknown) => boolean;
  /** The fields of a sample record that fits. */
  sample?: Readonly<Record<string, string | boolean>>;
}

/** A call as the caller sees it. */
export interface SeenCall {
  method: string;
  path: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** An oddity of the answer as a whole. */
export interface CallOddity extends Oddity {
  shows: (call: SeenCall) => boolean;
}

/** A webhook call as the receiver sees it. */
export interface SeenWebhook {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The secret that the receiver shares. */
  secret: string;
}

export interface WebhookOddity extends Oddity {
  shows: (webhook: SeenWebhook) => boolean;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
