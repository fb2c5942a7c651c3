/** What people say of a campaign that stands. */
export const standingFields = {
  within: {
    kind: 'durations',
    atMost: 1,
    label: 'Each person has it due within',
    hint: 'For example 14d, counted from the day they come in',
    clause: { words: ['within'], example: '14d' },
    optional: true,
  },
  valid: {
    kind: 'validity',
    label: 'How long a pass counts',
    hint: 'For example 12 months, or until 31 jan. Leave empty if it counts for good',
    clause: { words: ['valid'], example: '12 months' },
    optional: true,
  },
  renew: {
    kind: 'durations',
    atMost: 1,
    label: 'Asks again before a pass ends',
    hint: 'For example 30d, which is the default',
    clause: { words: ['renew'], example: '30d' },
    optional: true,
  },
} as const;
