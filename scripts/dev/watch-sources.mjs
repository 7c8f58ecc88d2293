import { readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** An editor writes a file in several steps; a change of branch writes many files. */
const QUIET_MS = 20;

/**
 * Calls `onChange` with the paths that changed, came or went below these folders, once nothing has for some
 * milliseconds. Folders are watched and not files, since editors replace a file that they save.
 */
export function watchSources(folders, onChange) {
  const watchers = new Map();
  let changed = new Set();
  let timer;
  const note = (path) => {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...changed];
      changed = new Set();
      onChange(paths);
    }, QUIET_MS);
  };
  const add = (folder) => {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (_, name) => {
      const path = join(folder, name ?? '');
      if (isFolder(path)) addBelow(path, note);
      else note(path);
    });
    const end = () => {
      watcher.close();
      watchers.delete(folder);
    };
    watchers.set(folder, end);
    watcher.on('error', end);
  };
  const addBelow = (folder, onFile) => {
    add(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) addBelow(path, onFile);
      else onFile(path);
    }
  };
  for (const folder of folders) addBelow(folder, () => undefined);
  return () => {
    clearTimeout(timer);
    for (const end of watchers.values()) end();
  };
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
