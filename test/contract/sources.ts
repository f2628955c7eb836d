/** The sources as texts, for the contract tests: what is where, line by line. */
import { readdirSync, readFileSync } from 'node:fs';

/** One file of the project. */
export interface SourceFile {
  /** Relative to the project's root. */
  path: string;
  text: string;
  lines: readonly string[];
}

/** Every file below the folders whose name ends so, in order of path. */
export function sourceFiles(folders: readonly string[], ending = '.ts'): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      // The benchmarks have packages of their own, once they are installed.
      .filter((entry) => !/(^|\/)node_modules(\/|$)/.test(entry.parentPath))
      .map((entry) => readSource(`${entry.parentPath}/${entry.name}`))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  return { path, text, lines: text.split('\n') };
}

/** A file's code with comments and texts blanked, line by line, so that words in them do not count. */
export function codeLines(file: SourceFile): string[] {
  const blanked = file.text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1');
  return blanked.split('\n');
}

/** `path:line: text` of every line that matches, for a message that can be clicked. */
export function linesMatching(
  file: SourceFile,
  pattern: RegExp,
  lines = codeLines(file),
): string[] {
  return lines.flatMap((line, index) =>
    pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [],
  );
}
