/**
 * What a row of a file becomes: `Vorname|Nachname|user name`, then what else is set, such as `e-mail=…`, `type=…`, `groups=…`.
 * A row that is left out is its error.
 */
export interface HrFile {
  /** The tool and its language. `source`: the public page with its titles, where there is one. */
  name: string;
  source?: string;
  content: string;
  rows: readonly string[];
  /** Parts of what the preview says of columns. */
  says?: readonly string[];
  /** What the bot asks, and what a person answers, by title. */
  asks?: { question: string; answers: Readonly<Record<string, string>> };
}

/** Files as HR tools and administrators of other systems write them. The people are invented. */
export const hrFiles: readonly HrFile[] = [
  {
    name: 'Excel, German: last name, first name, e-mail, group',
    content: 'Nachname;Vorname;E-Mail;Gruppe\r\nMeier;Anna;anna@quiz.example;Crew\r\nGroß;Jörg;joerg@quiz.example;\r\n',
    rows: ['Anna|Meier|anna@quiz.example groups=g-1', 'Jörg|Groß|joerg@quiz.example'],
  },
  {
    name: 'Excel, German: “Name” beside “Vorname” is the last name',
    content: 'Name;Vorname;E-Mail-Adresse\nMeier;Anna;anna@quiz.example\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'Personio, German',
    source: 'https://support.personio.de/hc/de/articles/211776305-Mitarbeitendendaten-importieren',
    content:
      'Vorname;Nachname;E-Mail;Position;Abteilung;Standort;Eintrittsdatum;Vorgesetzter\nAnna;Meier;anna@quiz.example;Köchin;Küche;Köln;01.12.2026;Max Groß\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: [
      'takes the column “Position” for job titles',
      '“Abteilung”, “Standort”, “Eintrittsdatum” and “Vorgesetzter”',
    ],
  },
  {
    name: 'Personio, English',
    content:
      'ID,First name,Last name,Email,Gender,Position,Department,Employment type,Hire date\n12,Anna,Meier,anna@quiz.example,f,Trainer,Kitchen,permanent,2026-12-01\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['a job title makes nobody a trainer'],
  },
  {
    name: 'DATEV payroll, German, people without e-mail',
    content: 'Personalnummer;Nachname;Vorname;Kostenstelle\n1001;Muster;Max;20\n1002;Beispiel;Erika;20\n',
    asks: {
      question: 'No column says that it has e-mail addresses or user names.',
      answers: { Personalnummer: 'user_name' },
    },
    rows: ['Max|Muster|1001', 'Erika|Beispiel|1002'],
  },
  {
    name: 'SAP HCM, German list',
    content:
      'Pers.Nr.;Nachname;Vorname;Organisationseinheit;Planstelle;E-Mail (geschäftlich);E-Mail (privat)\n00001001;Meier;Anna;Küche;Köchin;anna@quiz.example;anna@home.example\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['The bot takes the e-mail address from “E-Mail (geschäftlich)”, so it ignores “E-Mail (privat)”'],
  },
  {
    name: 'SAP HCM, technical names',
    source: 'https://www.sapdatasheet.org/abap/tabl/ehs_pernr.html',
    content: 'PERNR;NACHN;VORNA;USRID_LONG\n1001;Meier;Anna;anna@quiz.example\n',
    asks: {
      question: 'No column says that it has e-mail addresses or user names.',
      answers: {},
    },
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'SAP SuccessFactors, user data file with its row of labels',
    source: 'https://apps.support.sap.com/sap/support/knowledge/public/en/2087504',
    content:
      'STATUS,USERID,USERNAME,FIRSTNAME,LASTNAME,MI,GENDER,EMAIL,MANAGER,HR,DEPARTMENT,TITLE\nSTATUS,USERID,Username,First Name,Last Name,Middle Name,Gender,Email,Manager,Human Resource,Department,Title\nactive,100,ameier,Anna,Meier,,F,anna@quiz.example,NO_MANAGER,NO_HR,Kitchen,Cook\n',
    rows: ['Anna|Meier|ameier e-mail=anna@quiz.example'],
  },
  {
    name: 'Workday, custom report',
    source: 'https://help.merge.dev/en/articles/8694660-workday-how-do-i-send-hris-data-via-sftp',
    content:
      'Employee ID,Legal Name - First Name,Legal Name - Last Name,Email - Primary Work,Email - Primary Home,Business Title,Cost Center,Hire Date\n21001,Anna,Meier,anna@quiz.example,anna@home.example,Administrator,Kitchen,2026-12-01\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['takes the column “Business Title” for job titles', 'ignores “Email - Primary Home”'],
  },
  {
    name: 'Workday, worker in one column',
    content: 'Worker,Email - Primary Work,Supervisory Organization\nAnna Meier,anna@quiz.example,Kitchen (Max Groß)\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'BambooHR, employee directory',
    source: 'https://documentation.bamboohr.com/docs/list-of-field-names',
    content:
      'Employee #,First Name,Last Name,Preferred Name,Work Email,Home Email,Job Title,Department,Employment Status\n7,Anna,Meier,Anni,anna@quiz.example,anna@home.example,Trainer,Kitchen,Full-Time\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['The bot takes the first name from “First Name”, so it ignores “Preferred Name”'],
  },
  {
    name: 'BambooHR, last name first',
    content: '"Last Name, First Name",Work Email,Location\n"Meier, Anna",anna@quiz.example,Cologne\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'ADP Workforce Now',
    content:
      'Payroll Name,File Number,Job Title Description,Work Contact: Work Email\n"Smith, John, Jr.",123456,Line cook,john@quiz.example\n"De La Cruz, Maria",123457,Line cook,maria@quiz.example\n',
    rows: ['John|Smith Jr.|john@quiz.example', 'Maria|De La Cruz|maria@quiz.example'],
  },
  {
    name: 'Google Workspace, users',
    source: 'https://support.google.com/a/answer/40057',
    content:
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Org Unit Path [Required],Recovery Email\nAnna,Meier,anna@quiz.example,****,/Kitchen,anna@home.example\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['dropped the column “Password [Required]”', 'ignores “Recovery Email”'],
  },
  {
    name: 'Microsoft Entra ID, users',
    source: 'https://learn.microsoft.com/entra/identity/users/users-bulk-download',
    content:
      'userPrincipalName,displayName,surname,mail,givenName,id,userType,jobTitle,department,accountEnabled\nanna@quiz.example,Anna Meier (Kitchen),Meier,anna@quiz.example,Anna,6f9619ff-8b86-d011-b42d-00c04fc964ff,Member,Trainer,Kitchen,TRUE\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['The column “userType” names no type or right', 'takes the column “jobTitle” for job titles'],
  },
  {
    name: 'Microsoft 365, active users',
    content:
      'User principal name,First name,Last name,Display name,Title,Licenses,Last password change time stamp\nanna@quiz.example,Anna,Meier,Anna Meier,Cook,Unlicensed,2026-01-01\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'Slack, member list',
    content:
      'username,email,status,billing-active,fullname,displayname\nanna,anna@quiz.example,Member,1,Anna Meier,Anni\n',
    rows: ['Anna|Meier|anna e-mail=anna@quiz.example'],
  },
  {
    name: 'Lucca, French codes',
    source: 'https://support.lucca.fr/hc/fr/articles/360021100132',
    content:
      'login;firstName;lastName;mail;legalEntity;dtContractStart;department;manager;rolePrincipal\nadupont;Anne;Dupont;anne@quiz.example;Lyon;01/12/2026;Cuisine;jmartin;Administrator\n',
    rows: ['Anne|Dupont|adupont e-mail=anne@quiz.example'],
  },
  {
    name: 'Payroll, French',
    content:
      'Matricule;Nom;Prénom;E-mail professionnel;Poste;Service\n101;Dupont;Anne;anne@quiz.example;Cuisinière;Cuisine\n',
    rows: ['Anne|Dupont|anne@quiz.example'],
    says: ['takes the column “Poste” for job titles'],
  },
  {
    name: 'French, last names in capitals in one column',
    content: 'Nom complet;Adresse e-mail\nAnne-Marie DUPONT LEGRAND;anne@quiz.example\nMARTIN Jean;jean@quiz.example\n',
    rows: ['Anne-Marie|DUPONT LEGRAND|anne@quiz.example', 'Jean|MARTIN|jean@quiz.example'],
  },
  {
    name: 'French, with initial passwords',
    content: 'Prénom;Nom de famille;Courriel;Mot de passe\nAnne;Dupont;anne@quiz.example;Secret-canary1!\n',
    rows: ['Anne|Dupont|anne@quiz.example'],
    says: ['dropped the column “Mot de passe”'],
  },
  {
    name: 'Spanish, both last names in one column',
    source: 'https://help.payhawk.com/es/articles/11129907-importacion-masiva-de-empleados',
    content:
      'Nombre;Apellidos;Correo electrónico de empresa;Puesto;Centro\nMaría José;García López;maria@quiz.example;Cocinera;Sevilla\n',
    rows: ['María José|García López|maria@quiz.example'],
  },
  {
    name: 'Spanish, a column for each last name',
    content:
      'Nombre;Primer apellido;Segundo apellido;Correo electrónico;Contraseña\nMaría;García;López;maria@quiz.example;Secret-canary1!\n',
    rows: ['María|García López|maria@quiz.example'],
    says: ['dropped the column “Contraseña”'],
  },
  {
    name: 'aTurnos, Spanish: name and last names in “Nombre”',
    source: 'https://www.aturnos.com/manual/Manual/1-importacion-altas-de-trabajadores-basico/',
    content: 'Nombre;Mail;Fecha de alta\nGabriel José García Márquez;gabriel@quiz.example;01/12/2026\n',
    rows: ['Gabriel José|García Márquez|gabriel@quiz.example'],
  },
  {
    name: 'Spanish, “Apellidos y nombre”',
    content: 'Apellidos y nombre;Usuario;E-mail\n"García Márquez, Gabriel";ggarcia;gabriel@quiz.example\n',
    rows: ['Gabriel|García Márquez|ggarcia e-mail=gabriel@quiz.example'],
  },
  {
    name: 'AFAS, Dutch, with a column for “van der”',
    content:
      'Medewerker;Voornaam;Tussenvoegsel;Achternaam;E-mail werk;E-mail privé;Functie\n1001;Sanne;van der;Berg;sanne@quiz.example;sanne@thuis.example;Kok\n',
    rows: ['Sanne|van der Berg|sanne@quiz.example'],
    says: ['takes the column “Functie” for job titles'],
  },
  {
    name: 'Dutch, name and groups',
    content: 'Naam;E-mailadres;Groep;Wachtwoord\nJan Willem van den Berg;jan@quiz.example;Warehouse;Secret-canary1!\n',
    rows: ['Jan Willem|van den Berg|jan@quiz.example groups=g-2'],
    says: ['dropped the column “Wachtwoord”'],
  },
  {
    name: 'Dipendenti in Cloud, Italian',
    source: 'https://help.dipendentincloud.it/help/articolo/241-visualizza-modifica-dipendenti-inseriti',
    content:
      'Cognome;Nome;Codice Fiscale;Matricola;Mansione;Email;Attivo\nRossi;Giulia;RSSGLI90A41H501X;12;Cuoca;giulia@quiz.example;Vero\n',
    rows: ['Giulia|Rossi|giulia@quiz.example'],
    says: ['takes the column “Mansione” for job titles'],
  },
  {
    name: 'Italian, “Nominativo” with a title',
    content:
      'Nominativo;Posta elettronica aziendale;Parola d’ordine\nDott.ssa Giulia De Rossi;giulia@quiz.example;Secret-canary1!\n',
    rows: ['Giulia|De Rossi|giulia@quiz.example'],
    says: ['dropped the column “Parola d’ordine”'],
  },
  {
    name: 'Portuguese (Brazil)',
    content:
      'Matrícula;Nome;Sobrenome;E-mail corporativo;Cargo;Senha\n9;João;da Silva;joao@quiz.example;Cozinheiro;Secret-canary1!\n',
    rows: ['João|da Silva|joao@quiz.example'],
    says: ['dropped the column “Senha”', 'takes the column “Cargo” for job titles'],
  },
  {
    name: 'Portuguese (Portugal)',
    content:
      'Nome próprio;Apelido;Endereço de e-mail;Palavra-passe\nJoão;Silva Santos;joao@quiz.example;Secret-canary1!\n',
    rows: ['João|Silva Santos|joao@quiz.example'],
    says: ['dropped the column “Palavra-passe”'],
  },
  {
    name: 'Portuguese, “Nome completo”',
    content: 'Nome completo;E-mail\nAna Maria de Souza;ana@quiz.example\n',
    rows: ['Ana Maria|de Souza|ana@quiz.example'],
  },
  {
    name: 'tomHRM, Polish',
    source: 'https://support.tomhrm.com/kb/zaimportowac-liste-pracownikow/',
    content:
      'Login;Imię;Nazwisko;E-mail służbowy;Stanowisko;Dział\njkowalski;Jan;Kowalski;jan@quiz.example;Kucharz;Kuchnia\n',
    rows: ['Jan|Kowalski|jkowalski e-mail=jan@quiz.example'],
    says: ['takes the column “Stanowisko” for job titles'],
  },
  {
    name: 'Polish, “Nazwisko i imię”',
    content: 'Nazwisko i imię;Adres e-mail;Hasło;Grupa\nŻółć Grażyna;grazyna@quiz.example;Secret-canary1!;Crew\n',
    rows: ['Grażyna|Żółć|grazyna@quiz.example groups=g-1'],
    says: ['dropped the column “Hasło”'],
  },
  {
    name: 'A role is a job title, also where it is called like a type',
    content: 'E-mail,Name,Role\nanna@quiz.example,Anna Meier,Trainer\nbo@quiz.example,Bo Berg,Koch\n',
    rows: ['Anna|Meier|anna@quiz.example', 'Bo|Berg|bo@quiz.example'],
    says: ['takes the column “Role” for job titles'],
  },
  {
    name: 'A type comes from a column that says so',
    content: 'first_name,last_name,email,user_type\nAnna,Meier,anna@quiz.example,trainer\nBo,Berg,bo@quiz.example,\n',
    rows: ['Anna|Meier|anna@quiz.example type=trainer', 'Bo|Berg|bo@quiz.example'],
  },
  {
    name: 'Titles and degrees in names',
    content:
      'Name;E-Mail\nDr. Anna Meier;anna@quiz.example\nProf. Dr. med. Max von der Au;max@quiz.example\nHerr Groß;gross@quiz.example\n"Jane Doe, PhD";jane@quiz.example\n',
    rows: [
      'Anna|Meier|anna@quiz.example',
      'Max|von der Au|max@quiz.example',
      '|Groß|gross@quiz.example',
      'Jane|Doe|jane@quiz.example',
    ],
  },
  {
    name: 'A column whose values are passwords, whatever its title',
    content:
      'Vorname;Nachname;E-Mail;Start\nAnna;Meier;anna@quiz.example;canaryX7!pq\nBo;Berg;bo@quiz.example;canaryR2?vw\n',
    rows: ['Anna|Meier|anna@quiz.example', 'Bo|Berg|bo@quiz.example'],
    says: ['dropped the column “Start”'],
  },
  {
    name: 'Titles that nobody knows are asked about',
    content: 'Familie;Rufzeichen;Elektropost\nMeier;Anna;anna@quiz.example\nBerg;Bo;bo@quiz.example\n',
    asks: {
      question: 'No column says that it has e-mail addresses or user names.',
      answers: { Familie: 'last_name', Rufzeichen: 'first_name' },
    },
    rows: ['Anna|Meier|anna@quiz.example', 'Bo|Berg|bo@quiz.example'],
  },
  {
    name: 'A file without titles',
    content: 'Anna,Meier,anna@quiz.example\nBo,Berg,bo@quiz.example\n',
    asks: {
      question: 'No column says that it has e-mail addresses or user names.',
      answers: { 'column 1': 'first_name', 'column 2': 'last_name' },
    },
    rows: ['Anna|Meier|anna@quiz.example', 'Bo|Berg|bo@quiz.example'],
  },
  {
    name: 'Two columns with addresses are asked about',
    content: 'Name,E-mail,Work email\nAnna Meier,anna@home.example,anna@quiz.example\n',
    asks: {
      question: 'The columns “E-mail” and “Work email” both hold the e-mail address.',
      answers: { 'E-mail': 'none', 'Work email': 'email_address' },
    },
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'An address that is none names its person',
    content:
      'Nachname;Vorname;E-Mail\nMeier;Anna;anna@quiz.example\nMustermann;Max;max(at)quiz.example\nBerg;Bo;"Berg, Bo <bo@quiz.example>"\n',
    rows: [
      'Anna|Meier|anna@quiz.example',
      'Line 3, Max Mustermann: “max(at)quiz.example” isn’t an e-mail address.',
      'Bo|Berg|bo@quiz.example',
    ],
  },
  {
    name: 'A title, a date and blank lines above the titles, a total below',
    content:
      'Employee list,,,\n"As of 1 Dec, 2026",,,\n\nLast name,First name,Work email,Department\nMeier,Anna,anna@quiz.example,Kitchen\nBerg,Bo,bo@quiz.example,Bar\nTotal employees: 2,,,\n',
    rows: ['Anna|Meier|anna@quiz.example', 'Bo|Berg|bo@quiz.example'],
    says: [
      'Line 1, which begins with “Employee list”, isn’t a person',
      'Line 2, which begins with “As of 1 Dec, 2026”',
      'Line 7, which begins with “Total employees: 2”',
    ],
  },
  {
    name: 'A title above semicolons and merged cells over the titles',
    content: 'Liste, Stand heute\n;Person;;Kontakt\nNr;Nachname;Vorname;E-Mail\n1;Meier;Anna;anna@quiz.example\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['Line 1, which begins with “Liste, Stand heute”', 'Line 2, which begins with “Person”'],
  },
  {
    name: 'Microsoft Entra ID, template for many users, with its version and example',
    source: 'https://learn.microsoft.com/entra/identity/users/users-bulk-add',
    content:
      'version:v1.0,,,,,\nName [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,Block sign in (Yes/No) [accountEnabled] Required,First name [givenName],Last name [surname]\nExample: Chris Green,chris@contoso.example,myPassword1234,No,Chris,Green\nAnna Meier,anna@quiz.example,canary!Pass1,No,Anna,Meier\n',
    rows: ['Anna|Meier|anna@quiz.example'],
    says: ['begins with “version:v1.0”', 'begins with “Example: Chris Green”', 'dropped the column “Initial password'],
  },
  {
    name: 'A title that names the order of the name',
    content:
      'Name (Nachname, Vorname);Dienst-E-Mail;E-Mail privat\nMeier Anna;anna@quiz.example;anna@home.example\n"Berg, Bo";bo@quiz.example;\n',
    rows: ['Anna|Meier|anna@quiz.example', 'Bo|Berg|bo@quiz.example'],
  },
  {
    name: 'Titles of learning platforms',
    content: 'Student Name,Student Email,Student ID\nAnna Meier,anna@quiz.example,7\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'Titles with “Emp”',
    content: 'Emp Name,Emp Email\nAnna Meier,anna@quiz.example\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'A column “Learner”',
    content: 'Learner,E-mail\nAnna Meier,anna@quiz.example\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'Names of groups in quotation marks',
    content:
      'Name;E-mail;Groups\nAnna Meier;anna@quiz.example;"""Crew"""\nBo Berg;bo@quiz.example;„Crew“\nCy Park;cy@quiz.example;\'Crew\', “Warehouse”\n',
    rows: [
      'Anna|Meier|anna@quiz.example groups=g-1',
      'Bo|Berg|bo@quiz.example groups=g-1',
      'Cy|Park|cy@quiz.example groups=g-1,g-2',
    ],
  },
  {
    name: 'Addresses with what other programs left at them',
    content: [
      'Name,E-mail',
      'Anna Meier,"a@quiz.example, "',
      'Bo Berg,b@quiz.example.',
      "Cy Park,'c@quiz.example",
      'Di Roth,<d@quiz.example>;',
      'Ed Wolf,"=""e@quiz.example"""',
      'Fay Lund,f..l@quiz.example',
      'Gil Moss,"g@quiz.example, h@quiz.example"',
      'Hal Nash,mailto:i@quiz.example',
      '',
    ].join('\n'),
    rows: [
      'Anna|Meier|a@quiz.example',
      'Bo|Berg|b@quiz.example',
      'Cy|Park|c@quiz.example',
      'Di|Roth|d@quiz.example',
      'Ed|Wolf|e@quiz.example',
      'Line 7, Fay Lund: “f..l@quiz.example” isn’t an e-mail address.',
      'Line 8, Gil Moss: “g@quiz.example, h@quiz.example” isn’t an e-mail address.',
      'Hal|Nash|i@quiz.example',
    ],
  },
  {
    name: 'User names that a spreadsheet program changed',
    content:
      'Name,User name\nAnna Meier,"=""00123"""\nBo Berg,1.00123E+12\nCy Park,"1,00123E+12"\nDi Roth,#N/A\nEd Wolf,\'00124\n',
    rows: [
      'Anna|Meier|00123',
      'Line 3, Bo Berg: A spreadsheet program replaced the user name by “1.00123E+12”. Enter it again in a column of text.',
      'Line 4, Cy Park: A spreadsheet program replaced the user name by “1,00123E+12”. Enter it again in a column of text.',
      'Line 5, Di Roth: A spreadsheet program replaced the user name by “#N/A”. Enter it again in a column of text.',
      'Ed|Wolf|00124',
    ],
  },
  {
    name: 'Moodle, users with “suspended” and “deleted”',
    source: 'https://docs.moodle.org/en/Upload_users',
    content:
      'username,firstname,lastname,email,suspended,deleted\nameier,Anna,Meier,anna@quiz.example,0,0\nbberg,Bo,Berg,bo@quiz.example,1,0\ncpark,Cy,Park,cy@quiz.example,0,1\n',
    rows: [
      'Anna|Meier|ameier e-mail=anna@quiz.example',
      'Line 3, Bo Berg: The column “suspended” says “1”.',
      'Line 4, Cy Park: The column “deleted” says “1”.',
    ],
  },
  {
    name: 'Canvas, users with “status”',
    source: 'https://canvas.instructure.com/doc/api/file.sis_csv.html',
    content:
      'user_id,login_id,first_name,last_name,email,status\n1,ameier,Anna,Meier,anna@quiz.example,active\n2,bberg,Bo,Berg,bo@quiz.example,deleted\n3,cpark,Cy,Park,cy@quiz.example,suspended\n',
    rows: [
      'Anna|Meier|anna@quiz.example',
      'Line 3, Bo Berg: The column “status” says “deleted”.',
      'Line 4, Cy Park: The column “status” says “suspended”.',
    ],
  },
  {
    name: 'Slack, member list with everyone who was there',
    content:
      'username,email,status,billing-active,fullname,displayname\nanna,anna@quiz.example,Member,1,Anna Meier,Anni\nbo,bo@quiz.example,Deactivated,0,Bo Berg,\nrota,,Bot,0,Rota,\ncy,cy@quiz.example,Single-Channel Guest,0,Cy Park,\n',
    rows: [
      'Anna|Meier|anna e-mail=anna@quiz.example',
      'Line 3, Bo Berg: The column “status” says “Deactivated”.',
      'Line 4, Rota: The column “status” says “Bot”.',
      'Line 5, Cy Park: The column “status” says “Single-Channel Guest”.',
    ],
  },
  {
    name: 'BambooHR, with people who have left or will leave',
    content:
      'First Name,Last Name,Work Email,Employment Status,Termination Date\nAnna,Meier,anna@quiz.example,Full-Time,\nBo,Berg,bo@quiz.example,Terminated,1960-03-31\nCy,Park,cy@quiz.example,Full-Time,2099-03-31\nDi,Roth,di@quiz.example,Full-Time,03/04/1960\nEd,Wolf,ed@quiz.example,Full-Time,0000-00-00\nFay,Lund,fay@quiz.example,Full-Time,Q3 2026\n',
    rows: [
      'Anna|Meier|anna@quiz.example',
      'Line 3, Bo Berg: The column “Employment Status” says “Terminated”.',
      'Cy|Park|cy@quiz.example',
      'Line 5, Di Roth: The column “Termination Date” says “03/04/1960”.',
      'Ed|Wolf|ed@quiz.example',
      'Line 7, Fay Lund: The column “Termination Date” says “Q3 2026”. The bot can’t tell whether they have left.',
    ],
  },
  {
    name: 'Microsoft Entra ID, with a guest and a disabled account',
    content:
      'userPrincipalName,displayName,userType,accountEnabled\nanna@quiz.example,Anna Meier,Member,TRUE\nbo@quiz.example,Bo Berg,Guest,TRUE\ncy@quiz.example,Cy Park,Member,FALSE\n',
    rows: [
      'Anna|Meier|anna@quiz.example',
      'Line 3, Bo Berg: The column “userType” says “Guest”.',
      'Line 4, Cy Park: The column “accountEnabled” says “FALSE”.',
    ],
  },
  {
    name: 'German and Polish columns of people who have left',
    content:
      'Vorname;Nachname;E-Mail;Aktiv;Austrittsdatum\nAnna;Meier;anna@quiz.example;Ja;31.12.2099\nBo;Berg;bo@quiz.example;Nein;\nCy;Park;cy@quiz.example;Ja;31.12.1960\n',
    rows: [
      'Anna|Meier|anna@quiz.example',
      'Line 3, Bo Berg: The column “Aktiv” says “Nein”.',
      'Line 4, Cy Park: The column “Austrittsdatum” says “31.12.1960”.',
    ],
  },
  {
    name: 'Titles that stand twice',
    content: 'E-mail,First name,Last name\nE-mail,First name,Last name\nanna@quiz.example,Anna,Meier\n',
    rows: ['Anna|Meier|anna@quiz.example'],
  },
  {
    name: 'An address that is shared, which no trainer shares',
    content:
      'User name,E-mail,First name,User type\nk1,k@quiz.example,Anna,\nk2,k@quiz.example,Bo,\nk3,k@quiz.example,Cy,Trainer\n',
    rows: [
      'Anna||k1 e-mail=k@quiz.example',
      'Bo||k2 e-mail=k@quiz.example',
      'Line 4, Cy: “k@quiz.example” is in line 3 already.',
    ],
  },
];
