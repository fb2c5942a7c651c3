import type { Database } from '../database.ts';

export interface WelcomeMail {
  recipient: string;
  userName: string;
  firstName: string;
  password: string;
}

export interface Mail {
  mail_id: string;
  date_sent: string;
  recipient: string;
  subject: string;
  /** Without the password. */
  text: string;
}

/** So many stay to be looked at. */
export const keptMails = 200;

export function addMail(database: Database, mail: Mail): void {
  database.run(
    'INSERT INTO mails (mail_id, date_sent, recipient, subject, text) VALUES (?, ?, ?, ?, ?)',
    [mail.mail_id, mail.date_sent, mail.recipient, mail.subject, mail.text],
  );
  database.run('DELETE FROM mails WHERE seq <= (SELECT max(seq) FROM mails) - ?', [keptMails]);
}

/** Newest first. */
export function listMails(database: Database): Mail[] {
  return database.all('SELECT mail_id, date_sent, recipient, subject, text FROM mails ORDER BY seq DESC');
}
