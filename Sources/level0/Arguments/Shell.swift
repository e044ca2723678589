/// The shells with completions. They ask the program itself, so that completions always match its version.
enum Shell: String, CaseIterable {
    case zsh, bash, fish

    /// The option that prints a shell's script.
    static let option = "--generate-completion-script"

    /// Returns the shell whose script is requested, anywhere among the words.
    /// - Parameter usual: the path of the default shell.
    static func asked(in words: [Word], usual: String) throws(EarlyExit) -> Shell? {
        let index = words.lastIndex { $0.isLong(option) }
        guard let index, case .long(_, var name) = words[index] else { return nil }
        if name == nil, case .plain(let next)? = words.dropFirst(index + 1).first { name = next }
        let shell = Shell(rawValue: name ?? usual.split(separator: "/").last.map(String.init) ?? "")
        guard let shell else { throw .fault(.noShell(name ?? "")) }
        return shell
    }

    /// Returns the script by which the shell asks a program for completions.
    func script(for program: String) -> String {
        switch self {
        case .bash:
            #"""
            _\#(program)() {
                # Not COMP_WORDS, which are split at = and : too.
                local line=${COMP_LINE:0:COMP_POINT} words offers
                read -ra words <<< "$line"
                [[ $line == *[[:blank:]] ]] && words+=('')
                mapfile -t offers < <("$1" \#(ShellCompletions.option) "${words[@]:1}" 2> /dev/null)
                COMPREPLY=()
                case ${offers[0]} in
                    :file) compopt -o default 2> /dev/null ;;
                    :folder) compopt -o dirnames 2> /dev/null ;;
                    *) COMPREPLY=("${offers[@]%%$'\t'*}") ;;
                esac
            }
            complete -F _\#(program) \#(program)

            """#
        case .zsh:
            #"""
            #compdef \#(program)
            local -a offers
            offers=("${(@f)$("${(Q)words[1]}" \#(ShellCompletions.option) "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}")
            case $offers[1] in
                ('') return 1 ;;
                (:file) _files ;;
                (:folder) _files -/ ;;
                (*)
                    offers=("${(@)${(@)offers//:/\\:}/$'\t'/:}")
                    _describe -V \#(program) offers
                    ;;
            esac

            """#
        case .fish:
            #"""
            function __\#(program)_offers
                set -l words (commandline -opc)
                set -l word (commandline -ct)
                set -l offers (command $words[1] \#(ShellCompletions.option) $words[2..] "$word" 2> /dev/null)
                switch "$offers[1]"
                    case :file
                        __fish_complete_path "$word"
                    case :folder
                        __fish_complete_directories "$word"
                    case '*'
                        printf '%s\n' $offers
                end
            end
            complete -c \#(program) -f -a '(__\#(program)_offers)'

            """#
        }
    }
}
