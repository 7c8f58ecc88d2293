import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Input,
  Label,
  Text,
  TextField as AriaTextField,
  type ButtonProps as AriaButtonProps,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components';
import './components.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'className'> {
  readonly look?: 'plain' | 'primary' | 'danger';
}

/** A button in the look of the pages. */
export function Button({ look = 'plain', ...props }: ButtonProps) {
  return <AriaButton {...props} className={look === 'plain' ? 'button' : `button ${look}`} />;
}

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
}

export interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A box to tick; its words stay beside it, however many lines they take. */
export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** A labelled line of text. */
export function TextField({ label, hint, placeholder, ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} className="field">
      <Label>{label}</Label>
      <Input className="input" {...(placeholder === undefined ? {} : { placeholder })} />
      {hint === undefined ? null : (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
    </AriaTextField>
  );
}
