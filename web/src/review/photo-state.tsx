import { Button } from '../shared/components/controls.js';
import type { Picture } from './use-report.js';
import type { Words } from './words/en.js';

/** Why no photo is drawn. */
export function PhotoState({ picture, words }: { readonly picture: Picture; readonly words: Words }) {
  if (picture.state === 'none') return <p>{words.noPhoto}</p>;
  if (picture.state !== 'fault') return <p role="status">{words.photoLoading}</p>;
  return (
    <div className="notice bad" role="alert">
      <p>{words.photoFault}</p>
      <div className="desk-tools">
        <Button onPress={picture.retry}>{words.tryAgain}</Button>
      </div>
    </div>
  );
}
