/** What the page says, in the language of the browser; a mail in German leads to a page in German (O-21). */

const WORDS = {
  en: {
    title: 'Set a password',
    label: 'New password, 10 characters or more',
    show: 'show it',
    submit: 'Set password',
    notWhole: 'This address is not whole: use the link as it was given to you.',
    done: 'The password is set.',
    ended: 'This link was used already, or is too old. Ask for a new one.',
    refusedLength: 'The password must have 10 to 200 characters.',
    refusedCommon: 'The password is among the most common ones; choose another.',
    away: 'The service does not answer. Try again in a moment.',
  },
  de: {
    title: 'Passwort festlegen',
    label: 'Neues Passwort, mindestens 10 Zeichen',
    show: 'anzeigen',
    submit: 'Passwort festlegen',
    notWhole: 'Diese Adresse ist nicht vollständig: Öffne den Link so, wie du ihn bekommen hast.',
    done: 'Das Passwort ist festgelegt.',
    ended: 'Dieser Link wurde schon benutzt oder ist zu alt. Fordere einen neuen an.',
    refusedLength: 'Das Passwort muss 10 bis 200 Zeichen haben.',
    refusedCommon: 'Das Passwort gehört zu den häufigsten; wähle ein anderes.',
    away: 'Der Dienst antwortet nicht. Versuche es gleich noch einmal.',
  },
} as const;

/** The language of the page. */
export const language = navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';

/** Its texts. */
export const words = WORDS[language];
