/** The slash command `/model`: chooses the model of this session and of later ones. */
import { CairnError } from "@cairn/timeline";
import { plainLine } from "../../command/terminal.ts";
import type { SlashCommand } from "./slash-command.ts";

export const model: SlashCommand = {
  argument: "[<name>]",
  about: "list the models, or use another one from now on",
  values: async ({ chat }) => (await chat.admission.loadModels()).models,
  run: async (context, argument) => {
    const { chat, output } = context;
    const own = chat.agent.model.id;
    const { models } = await chat.admission.loadModels();
    if (argument === "") {
      const current = context.model ?? own;
      output.print(models.map((name) => `${name === current ? "*" : " "} ${plainLine(name)}`));
      if (models.length < 2) output.line("dim", "The setting CAIRN_MODELS offers more models.");
      return;
    }
    if (!models.includes(argument))
      throw new CairnError("bad_model", `There is no model ${argument}. Available: ${models.join(", ")}.`);
    await context.useModel(argument === own ? null : argument);
    output.line("dim", `The next messages are answered by ${argument}, also in later chats.`);
  },
};
