/** What no pack can prove. It stands in each of them. */
export const limits = [
  'That nothing is missing that never reached the bot: an attempt that the quiz service did not report, a person who was never in a group, or an agreement outside the bot.',
  'Who took a quiz: the quiz service says which user did. Nor who reads a message that arrived.',
  'Who owns the key. It belongs to this bot if an administrator reads the same fingerprint in /quiz-admin status. The bot’s operator can read the private half of the key in its database, and could sign other files with it.',
  'When it was made: the time is that of the bot’s own clock.',
  'That entries of the audit trail between those in record.jsonl are as they were. An administrator can compare their hashes with the whole trail (/quiz-admin audit csv).',
  'Excuses that were taken back, and rules before a change, other than by the entries in record.jsonl.',
  'What 21 CFR Part 11 asks of electronic signatures: the signature is the bot’s, and no person’s.',
] as const;
