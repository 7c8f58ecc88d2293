import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a tree as files. Owners are left to whoever copies them. */
export async function writeFolder(tree, folder) {
  await mkdir(folder, { recursive: true });
  for (const { path, kind, mode, source, bytes, target } of tree.list()) {
    const place = join(folder, path);
    if (kind === 'folder') await mkdir(place, { recursive: true });
    else if (kind === 'link') await symlink(target, place);
    else if (bytes === undefined) await copyFile(source, place);
    else await writeFile(place, bytes);
    if (kind !== 'link') await chmod(place, mode);
  }
}
