//! The command line is sound, its help reads well, and its examples are real.

use clap::{CommandFactory, Parser};

use super::*;

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

fn help(path: &[&str]) -> String {
    // A fixed width, whatever terminal the tests run in.
    let mut command = Cli::command().term_width(100);
    command.build();
    let mut command = &mut command;
    for name in path {
        command = command.find_subcommand_mut(name).expect("there is such a command");
    }
    command.render_help().to_string()
}

#[test]
fn help_of_the_tool() {
    insta::assert_snapshot!(help(&[]), @"");
}

#[test]
fn help_of_run() {
    insta::assert_snapshot!(help(&["run"]), @"");
}

#[test]
fn help_of_check_has_the_same_flags_as_run() {
    let flags = |name| {
        let command = Cli::command();
        let command = command.find_subcommand(name).expect("there is such a command");
        command.get_arguments().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(flags("run"), flags("check"));
}

#[test]
fn the_examples_are_understood() {
    let lines = [examples::TOP, examples::RUN, examples::CHECK].iter().flat_map(|text| text.lines());
    let examples: Vec<_> = lines.filter(|line| line.starts_with("  plimsoll ")).collect();
    assert!(examples.len() >= 8);
    for example in examples {
        let cli = Cli::try_parse_from(words(cut_comment(example))).unwrap_or_else(|error| panic!("{example}: {error}"));
        if let Command::Run(RunArgs { plan, .. }) | Command::Check(CheckArgs { plan, .. }) = cli.command {
            crate::resolve::resolve(&plan, &crate::resolve::Machine::for_tests()).expect(example);
        }
    }
}

/// What stands before the columns of explanation.
fn cut_comment(example: &str) -> &str {
    example.trim().split("   ").next().unwrap_or(example)
}

/// Words as a shell would split them, single quotes only.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.iter_mut().last().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
